// The folder that npm packs: the files that package.json names, and a package.json with only the fields that users need.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPackageManifest } from './products.mjs'

/**
 * Selects the published fields of package.json. The committed one is private, so that npm publishes no folder and no tarball
 * that was packed in another way: install scripts are off here, and with them those that build before npm packs.
 */
export function publicManifest({
  private: _,
  scripts,
  devDependencies,
  overrides,
  workspaces,
  ...published
}) {
  return published
}

/** Fills a folder with the files of a product, and returns its package.json. All products have one license. */
export function stage(root, product, folder) {
  const manifest = publicManifest(readPackageManifest(root, product))
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  for (const name of ['README.md', ...manifest.files])
    cpSync(join(root, product, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifestText(manifest))
  compactJson(folder)
  sameRights(folder, Object.values(manifest.bin ?? {}))
  return manifest
}

/** Removes white space from JSON files: programs read them, and `landform schema` prints schemas for people. */
function compactJson(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.json') || name === 'package.json') continue
    const path = join(folder, name)
    writeFileSync(
      path,
      `${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))}
`,
    )
  }
}

/** Sets the same permissions on every machine, because npm packs the permissions of the files. */
function sameRights(folder, programs) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const isProgram = programs.some(program => path === join(folder, program))
    chmodSync(path, isProgram ? 0o755 : 0o644)
  }
}

/** Formats a package.json as npm does. */
export function manifestText(manifest) {
  return `${JSON.stringify(manifest, null, 2)}\n`
}
