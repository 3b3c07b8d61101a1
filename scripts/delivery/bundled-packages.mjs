// The packages whose code is in the bundles, as the lock file describes them, for the SBOM and the notices.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Describes each package whose files a bundler has used. Throws if the license of one is missing. */
export function bundledPackages(root, metafiles) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const files = metafiles.flatMap(({ outputs }) => Object.values(outputs)).flatMap(usedInputs)
  const paths = new Set(files.map(findFolder).filter(path => path !== undefined))
  return [...paths].sort().map(path => {
    const { version, license, integrity, dependencies = {} } = packages[path]
    if (license === undefined) throw new Error(`${path} has no license`)
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // Only the dependencies whose code is in the bundles.
    const needs = Object.keys(dependencies).map(one => resolved(path, one, packages))
    const within = needs.filter(one => paths.has(one)).sort()
    return { path, name, version, license, integrity, needs: within, text: licenseText(join(root, path)) }
  })
}

/** Lists the files whose code is in the output: the bundler reads files that it then leaves out. */
function usedInputs({ inputs }) {
  return Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []))
}

function findFolder(file) {
  // The path begins with other folders if node_modules is a symbolic link.
  return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
}

/** Finds the folder from which the package in `from` imports another one. */
export function resolved(from, name, packages) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    if (`${folder}/node_modules/${name}` in packages) return `${folder}/node_modules/${name}`
    if (!folder.includes('/node_modules/')) return `node_modules/${name}`
  }
}

function licenseText(folder) {
  const file = existsSync(folder) && readdirSync(folder).find(name => /^licen[cs]e(\.|$)/i.test(name))
  if (!file) throw new Error(`${folder} has no license text`)
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
}
