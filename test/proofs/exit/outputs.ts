import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { gone } from './process.js'

/** What a program is to print whole, and the least that it must be. */
export interface Product {
  readonly words: readonly string[]
  readonly leastBytes: number
  /** Exit code once everything arrived. */
  readonly code: number
}

/** Prints to a file, to a pipe that is read slowly, to one that is hung up, and to a full disk: all arrives, or the code says so. */
export async function lost({ words, leastBytes, code }: Product, folder: string): Promise<readonly string[]> {
  const file = join(folder, 'printed')
  writeFileSync(file, '')
  const toFile = await gone(words, { cwd: root, out: openSync(file, 'w') })
  const whole = readFileSync(file)
  const slowly = await gone(words, { cwd: root, reads: 'slowly' })
  const cut = await gone(words, { cwd: root, reads: 'once' })
  const full = await gone(words, { cwd: root, out: openSync('/dev/full', 'w') })
  const said = (place: string, is: unknown, not: unknown) =>
    is === not ? [] : [`${place}: ${is}, not ${not}`]
  return [
    ...(whole.byteLength < leastBytes ? [`only ${whole.byteLength} bytes are to be printed`] : []),
    ...said('to a file', toFile.code, code),
    ...said('to a slow reader', slowly.code, code),
    ...said('bytes to a slow reader', slowly.out.byteLength, whole.byteLength),
    ...(slowly.out.subarray(-200).equals(whole.subarray(-200))
      ? []
      : ['the end to a slow reader is another']),
    ...said('to one who hangs up', cut.code, 141),
    ...said('to a full disk', full.code, 74),
  ]
}
