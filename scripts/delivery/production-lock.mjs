// The packages that an image installs beside the program: the runtime dependencies of a product, in the tested versions.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolved } from './bundled-packages.mjs'
import { manifestText } from './stage.mjs'

/** Writes a package.json and its lock file for `npm ci`. */
export function writeProductionLock(lock, product, folder) {
  const { name, version, dependencies } = lock.packages[product]
  const own = { name: `${name}-packages`, version, dependencies }
  const packages = { '': own, ...needed(lock.packages, Object.keys(dependencies)) }
  const { lockfileVersion } = lock
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifestText({ private: true, ...own }))
  const text = manifestText({ name: own.name, version, lockfileVersion, requires: true, packages })
  writeFileSync(join(folder, 'package-lock.json'), text)
}

/** Selects the lock entries of packages and of all their dependencies, by folder. */
function needed(packages, names) {
  const reached = new Set(names.map(name => `node_modules/${name}`))
  for (const path of reached) {
    const { dependencies, optionalDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      reached.add(resolved(path, name, packages))
  }
  return Object.fromEntries([...reached].sort().map(path => [path, packages[path]]))
}
