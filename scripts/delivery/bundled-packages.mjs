// The packages whose code is in the bundles, as the lock file has them: what a list of parts and the notices are made of.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Describes a package of the lock file from the files that a bundler read; throws if its license is missing. */
export function bundledPackages(root, metafiles) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const files = metafiles.flatMap(({ outputs }) => Object.values(outputs)).flatMap(usedInputs)
  const paths = new Set(files.map(findFolder).filter(path => path !== undefined))
  return [...paths].sort().map(path => {
    const { version, license, integrity, dependencies = {} } = packages[path]
    if (license === undefined) throw new Error(`${path} has no license`)
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // The nearest parent folder that has the package, of those in the bundles.
    const needs = Object.keys(dependencies).map(one => resolved(path, one, packages))
    const within = needs.filter(one => paths.has(one)).sort()
    return { path, name, version, license, integrity, needs: within, text: licenseText(join(root, path)) }
  })
}

/** Of a file that was left out by the bundler nothing is delivered. */
function usedInputs({ inputs }) {
  return Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []))
}

function findFolder(file) {
  // What stands before it is there where node_modules is a link to another place.
  return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
}

/** The folder that a package in `from` finds another one in. */
export function resolved(from, name, packages) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    if (`${folder}/node_modules/${name}` in packages) return `${folder}/node_modules/${name}`
    if (!folder.includes('/node_modules/')) return `node_modules/${name}`
  }
}

function licenseText(folder) {
  const file = existsSync(folder) && readdirSync(folder).find(name => /^licen[cs]e(\.|$)/i.test(name))
  if (!file) throw new Error(`${folder} has no text of its license`)
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
}
