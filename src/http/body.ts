/** Reads a request's body whole, within a bound of bytes and a deadline. Nothing is parsed here: signatures are over bytes. */
import type { Readable } from 'node:stream'

export type Body =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly because: 'too_large' | 'too_slow' | 'cut_off' }

export interface BodyBounds {
  readonly maxBytes: number
  /** Milliseconds from now until the last byte. */
  readonly deadlineMs: number
}

/** Never rejects. After a refusal the rest of the stream is not read; the connection is not fit for another request. */
export function readBody(stream: Readable, contentLength: string | undefined, bounds: BodyBounds): Promise<Body> {
  if (contentLength !== undefined && Number(contentLength) > bounds.maxBytes)
    return Promise.resolve({ ok: false, because: 'too_large' })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (body: Body): void => {
      clearTimeout(deadline)
      stream.off('data', data).off('end', whole).off('error', cut).off('close', cut)
      // The socket may still fail while the refusal is on its way.
      stream.on('error', () => undefined)
      stream.pause()
      resolve(body)
    }
    const data = (chunk: Buffer): void => {
      size += chunk.length
      if (size > bounds.maxBytes) end({ ok: false, because: 'too_large' })
      else chunks.push(chunk)
    }
    const whole = (): void => end({ ok: true, bytes: Buffer.concat(chunks) })
    const cut = (): void => end({ ok: false, because: 'cut_off' })
    const deadline = setTimeout(() => end({ ok: false, because: 'too_slow' }), bounds.deadlineMs)
    stream.on('data', data).on('end', whole).on('error', cut).on('close', cut)
  })
}
