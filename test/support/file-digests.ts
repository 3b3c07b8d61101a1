import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the digest of every file below a folder, and an entry for every folder, to detect files that a run left behind. */
export function fileDigests(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.map(name => {
      const path = join(folder, name)
      const isFile = statSync(path).isFile()
      return [name, isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder']
    }),
  )
}
