/** Which signatures of the signed channel were used: shared by every process on this database, and kept across a restart. */
import type { SignatureBook } from '../approval/ports.ts'
import type { Committer } from './commit.ts'
import type { Tables } from './schema.ts'

export function signatureBook(committer: Committer<Tables>): SignatureBook {
  return {
    use: (channel, signature, until, now, most) =>
      committer.unit(async (connection) => {
        await connection.deleteFrom('signatures').where('until', '<', now.getTime()).execute()
        const known = await connection
          .selectFrom('signatures')
          .select('signature')
          .where('channel', '=', channel)
          .where('signature', '=', signature)
          .executeTakeFirst()
        if (known !== undefined) return 'used'
        const { count } = await connection
          .selectFrom('signatures')
          .select((pick) => pick.fn.countAll<number>().as('count'))
          .where('channel', '=', channel)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return 'full'
        await connection.insertInto('signatures').values({ channel, signature, until: until.getTime() }).execute()
        return 'new'
      }),
  }
}
