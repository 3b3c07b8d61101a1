import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cycle, type Import, importsBelow, sourcesBelow } from '../support/import-graph.js'
import { root } from '../support/manifests.js'

const imports = importsBelow('packages/fleet/src')

/** For each folder of the package, what it may import: own folders, entry points, packages, and modules of Node. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  model: ['landform', 'landform/sites', 'landform/state', 'node:crypto', 'node:net'],
  http: ['model', 'node:http', 'node:net', 'node:zlib'],
  manifests: ['landform', 'landform/report', 'landform/state', 'node:fs/promises', 'node:os', 'node:path'],
  workflow: ['landform', 'landform/cli', 'landform/report', 'landform/sites', 'landform/state', 'model'],
  database: [
    'landform/sites',
    'landform/state',
    'model',
    'pg',
    'node:crypto',
    'node:net',
    'node:os',
    'node:timers/promises',
    'node:tls',
  ],
  state: ['landform', 'landform/state', 'database', 'node:crypto', 'node:timers/promises'],
  report: ['landform', 'landform/report', 'landform/sites', 'model'],
  engine: [
    'model',
    'database',
    '@dbos-inc/dbos-sdk',
    '@dbos-inc/dbos-sdk/eventreceiver',
    '@dbos-inc/dbos-sdk/internal/system_database',
    '@dbos-inc/dbos-sdk/internal/telemetry/logs',
    'node:timers/promises',
  ],
  worker: [
    'landform',
    'landform/cli',
    'landform/report',
    'landform/sites',
    'landform/state',
    'model',
    'manifests',
    'workflow',
    'database',
    'state',
    'engine',
    'report',
    'http',
    'prom-client',
    'node:diagnostics_channel',
    'node:events',
    'node:os',
    'node:timers/promises',
  ],
  ui: ['model', 'database', 'report', 'http', 'node:crypto', 'node:http', 'node:net'],
  commands: [
    'landform',
    'landform/cli',
    'landform/report',
    'landform/sites',
    'landform/state',
    'model',
    'manifests',
    'workflow',
    'database',
    'state',
    'engine',
    'worker',
    'report',
    'ui',
    'http',
    'node:path',
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:crypto',
  ],
  'index.ts': ['landform/cli', 'commands', 'state'],
}

test('there are no import cycles, not even between types', () => {
  expect(cycle(imports)).toBeUndefined()
})

test('every import of the package is on the list of its folder', () => {
  expect(imports.filter(one => !isAllowed(one)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
})

test('only one folder imports the database driver, and only one the engine; others import at most their types', () => {
  const homes = { pg: 'database', '@dbos-inc/dbos-sdk': 'engine' } as const
  const outside = imports.filter(({ from, to, typeOnly }) => {
    const home = homes[packageOf(to) as keyof typeof homes]
    return home !== undefined && folderOf(from) !== home && !typeOnly
  })
  expect(outside).toEqual([])
})

test('it is a client of the library: no relative import leaves the package', () => {
  expect(imports.filter(({ to }) => to.startsWith('../')).map(({ from, to }) => `${from}: ${to}`)).toEqual([])
  expect(imports.filter(({ to }) => to === 'landform' || to.startsWith('landform/')).length).toBeGreaterThan(
    50,
  )
})

test('it imports only entry points of the library that are exported', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
  const entries = Object.keys(exports).map(name => name.replace(/^\./, 'landform'))
  const imported = new Set(imports.flatMap(({ to }) => (/^landform(?:\/|$)/.test(to) ? [to] : [])))
  expect(imported).toContain('landform')
  expect([...imported].filter(entry => !entries.includes(entry))).toEqual([])
})

test('every folder is on the list', () => {
  const folders = new Set(sourcesBelow('packages/fleet/src').map(folderOf))
  expect([...folders].filter(folder => !Object.hasOwn(allowed, folder))).toEqual([])
})

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [home, target] = [folderOf(from), folderOf(to)]
  return home === target || (allowed[home] ?? []).includes(target) || (typeOnly && target === 'pg')
}

const packageOf = (name: string) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name

/** The first folder of a path in the package. */
function folderOf(path: string): string {
  if (!path.endsWith('.ts')) return path
  return path.split('/')[0] ?? path
}
