import type { SentAnswer } from '../faults/delivery.js'

const [fillerBegin, fillerEnd] = ['{"filler":"', '"}'] as const

/** Makes a piece of the content of an answer; large content is never in memory as a whole. */
export function sliceContent({ content }: SentAnswer, from: number, to: number): Uint8Array {
  if (content.kind === 'bytes') return content.bytes.subarray(from, to)
  const bytes = Buffer.alloc(to - from, 'a')
  bytes.write(fillerBegin.slice(from))
  const fromEnd = content.totalBytes - fillerEnd.length
  if (to > fromEnd) bytes.write(fillerEnd.slice(Math.max(0, from - fromEnd)), Math.max(0, fromEnd - from))
  return bytes
}
