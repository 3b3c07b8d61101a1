import { dirname } from 'node:path'
import type { SystemCall } from './system-calls.js'

/**
 * Lists what a power loss would destroy although the writer with these system calls reported it. The text of a version must be
 * flushed before it is linked, and each folder above it before it is reported, whichever process created the folder.
 */
export function unflushed(calls: readonly SystemCall[], home: string, around: string): readonly string[] {
  const found: string[] = []
  const flushed = new Set<string>()
  /** Linked versions by folder, until that folder is flushed. */
  const open = new Map<string, string>()
  for (const { name, text } of calls) {
    if (!/ = \d+/.test(text)) continue
    const [, path = ''] = /^\w+\(\d+<([^>]*)>/.exec(text) ?? []
    if (name === 'write') flushed.delete(path)
    if (name === 'fsync') {
      flushed.add(path)
      open.delete(path)
    }
    if (name !== 'link') continue
    const [, file = '', version = ''] = /^link\("([^"]*)", "([^"]*)"/.exec(text) ?? []
    if (!flushed.has(file)) found.push(`${version} was linked before its text was flushed`)
    // The writer of the first version must flush the folders.
    if (version.endsWith('/000001.json'))
      for (const folder of [home, around])
        if (!flushed.has(folder)) found.push(`${version} was linked before ${folder} was flushed`)
    for (const one of open.values()) found.push(`${one} was never flushed in its folder`)
    open.set(dirname(version), version)
  }
  return [...found, ...[...open.values()].map(version => `${version} was never flushed in its folder`)]
}
