// Detects whether files have changed since a step last succeeded, with a digest in dist/. Uses only Node.js.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Tests whether the step last succeeded with this digest. */
export function isKept(stamp, digest) {
  const file = join(root, 'dist', stamp)
  return existsSync(file) && readFileSync(file, 'utf8') === digest
}

/** Saves the digest of a step that has succeeded. */
export function keep(stamp, digest) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist', stamp), digest)
}

/** Computes a digest of the names and contents of files. */
export function computeDigest(files) {
  const digest = createHash('sha256')
  for (const file of files)
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return digest.digest('hex')
}

/** Lists the files below folders whose names match, except those of packages. */
export function filesBelow(folders, pattern) {
  return folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        entry => entry.isFile() && pattern.test(entry.name) && !entry.parentPath.includes('node_modules'),
      )
      .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort(),
  )
}
