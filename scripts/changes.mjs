// Tells whether anything changed since a step last succeeded, by a digest that is kept in dist/. Uses nothing but Node itself.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** True where the step last succeeded with just this digest. */
export function isKept(stamp, digest) {
  const file = join(root, 'dist', stamp)
  return existsSync(file) && readFileSync(file, 'utf8') === digest
}

/** Keeps the digest of a step that has succeeded. */
export function keep(stamp, digest) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist', stamp), digest)
}

/** The digest of the names and contents of files. */
export function computeDigest(files) {
  const digest = createHash('sha256')
  for (const file of files)
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return digest.digest('hex')
}

/** The files below folders whose names fit, but for those of packages. */
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
