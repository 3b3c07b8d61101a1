import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { HttpAnswer } from './message.js'

/** A head of a provisional answer; after 101 another protocol would follow. */
const provisional = /^HTTP\/1\.[01] 1(?!01)\d\d.*?\r\n\r\n/s
/** The beginning of any answer that may still turn out to be provisional. */
const undecided = /^(?:HTTP\/1\.[01] 1(?:$|0(?:$|[02-9])|[1-9])|[HTP/1.0 ]{0,9}$)/
/** A longer head is left to undici, which has a limit of its own. */
const maxHeadBytes = 16 * 1024

/**
 * Drops provisional answers in front of the answer. A server may send `100 Continue` unasked (RFC 9110 §15.2), at which undici
 * closes the connection.
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
 * Decodes the content of an answer that something compressed although only `identity` was asked for, up to a size. Names an encoding
 * that cannot be decoded.
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
    // Not what the header says, or larger than an answer may be.
  }
  return { bytes: Buffer.alloc(0), encoding: name.slice(0, 40) }
}
