import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { HttpAnswer } from './message.js'

/** The head of a 1xx response, other than 101, after which another protocol would follow. */
const provisional = /^HTTP\/1\.[01] 1(?!01)\d\d.*?\r\n\r\n/s
/** The beginning of any response that may still turn out to be 1xx. */
const undecided = /^(?:HTTP\/1\.[01] 1(?:$|0(?:$|[02-9])|[1-9])|[HTP/1.0 ]{0,9}$)/
/** A longer head is left to undici, which has a limit of its own. */
const maxHeadBytes = 16 * 1024

/**
 * Drops the 1xx responses before the final one. A server may send an unrequested `100 Continue` (RFC 9110 §15.2), on which
 * undici closes the connection.
 */
export function dropProvisional(socket: Socket): void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket)
  let held = Buffer.alloc(0)
  socket.read = size => {
    for (;;) {
      const chunk = read(size)
      if (chunk === null) return null
      held = Buffer.concat([held, chunk])
      for (;;) {
        const [head] = provisional.exec(held.toString('latin1', 0, maxHeadBytes)) ?? []
        if (head === undefined) break
        held = held.subarray(head.length)
      }
      if (held.length < maxHeadBytes && undecided.test(held.toString('latin1'))) continue
      socket.read = read
      return held
    }
  }
}

const decoders: Readonly<Record<string, typeof gunzip>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress,
}

/**
 * Decompresses, up to a size, a response that was compressed although the request accepts only `identity`. Returns the name
 * of an encoding that cannot be decoded.
 */
export async function decodeContent(
  bytes: Buffer,
  encoding: string | undefined,
  maxOutputLength: number,
): Promise<Pick<HttpAnswer, 'bytes' | 'encoding'>> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return { bytes }
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  try {
    if (decoder !== undefined)
      return { bytes: await promisify<Buffer, object, Buffer>(decoder)(bytes, { maxOutputLength }) }
  } catch {
    // The content does not match the header, or is larger than allowed.
  }
  return { bytes: Buffer.alloc(0), encoding: name.slice(0, 40) }
}
