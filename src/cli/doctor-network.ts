/** Why a call came to nothing, from the codes that node and undici leave along an error's causes. */

/** No call to the outside is waited for longer. Milliseconds. */
export const CALL_MS = 10_000

export type NoAnswer = 'unreachable' | 'no_answer' | 'bad_certificate'

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH']
/** Node names some thirty faults of a certificate; these are their common parts. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/

export function noAnswerOf(error: unknown): NoAnswer {
  const codes = codesOf(error)
  if (codes.some((code) => CERTIFICATE.test(code))) return 'bad_certificate'
  return codes.some((code) => NEVER_SENT.includes(code)) ? 'unreachable' : 'no_answer'
}

/** @param whom as it stands in a sentence */
export function noAnswerWords(code: NoAnswer, whom: string): { readonly message: string; readonly mend: string } {
  switch (code) {
    case 'unreachable':
      return {
        message: `${whom} cannot be reached from here.`,
        mend: 'Check that its address is right and that it runs, and the DNS, firewall and proxy of this host.',
      }
    case 'no_answer':
      return {
        message: `${whom} gave no answer within ${CALL_MS / 1000} s, or broke the connection.`,
        mend: 'Check that it runs, and what stands between it and this host.',
      }
    case 'bad_certificate':
      return {
        message: `The TLS certificate of ${whom} is not valid here.`,
        mend: 'Check its name and its dates; for an authority of your own, start Node with NODE_EXTRA_CA_CERTS.',
      }
  }
}

function codesOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 5) return []
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  const original = 'original' in error ? [error.original] : []
  return [
    ...('code' in error ? [String(error.code)] : []),
    ...[error.cause, ...original, ...inner].flatMap((cause) => codesOf(cause, depth + 1)),
  ]
}
