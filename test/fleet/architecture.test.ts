import { cycle, type Import, importsBelow, sourcesBelow } from '../support/import-graph.js'

const imports = importsBelow('packages/fleet/src')

/**
 * Which folder of the package may import what: folders of its own, folders of `src` (with a slash before them), packages
 * and modules of Node.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  model: ['/plan', '/apply', '/state', '/manifest', '/policy', '/secrets', 'node:crypto', 'node:net'],
  http: ['model', '@hono/node-server', 'hono', 'node:http', 'node:net'],
  manifests: ['model', '/cli', '/library', '/report', '/state', 'node:fs/promises', 'node:path'],
  workflow: [
    'model',
    '/apply',
    '/client',
    '/library',
    '/manifest',
    '/plan',
    '/report',
    '/cli',
    '/state',
    '/secrets',
    '/policy',
    '/diagnostics',
  ],
  database: [
    'model',
    'pg',
    '/plan',
    '/state',
    'node:crypto',
    'node:net',
    'node:os',
    'node:timers/promises',
    'node:tls',
    '/contract',
  ],
  state: ['database', '/state', '/plan', 'node:crypto', 'node:timers/promises'],
  report: ['model', '/report', '/plan', '/state'],
  engine: ['model', 'workflow', 'database', '@dbos-inc/dbos-sdk', 'node:crypto', 'node:timers/promises'],
  worker: [
    'model',
    'manifests',
    'workflow',
    'database',
    'state',
    'engine',
    'report',
    '/library',
    '/state',
    '/cli',
    'http',
    'hono',
    'prom-client',
    '/version.ts',
    'node:diagnostics_channel',
    'node:os',
    'node:timers/promises',
  ],
  ui: [
    'model',
    'database',
    'report',
    'state',
    '/plan',
    '/state',
    '/report',
    'http',
    'hono',
    '/version.ts',
    'node:crypto',
    'node:net',
  ],
  commands: [
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
    '/cli',
    '/diagnostics',
    '/library',
    '/manifest',
    '/plan',
    '/policy',
    '/report',
    '/state',
    '/apply',
    '/secrets',
    '/version.ts',
    'node:path',
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:crypto',
  ],
  'index.ts': ['commands', 'state', '/cli', '/version.ts'],
}

test('no files import each other in a circle, types included', () => {
  expect(cycle(imports)).toBeUndefined()
})

test('every import of the package is on the list of its folder', () => {
  expect(imports.filter(one => !isAllowed(one)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
})

test('one folder alone knows the driver of the database, and one the engine; others at most their types', () => {
  const homes = { pg: 'database', '@dbos-inc/dbos-sdk': 'engine' } as const
  const outside = imports.filter(({ from, to, typeOnly }) => {
    const home = homes[to as keyof typeof homes]
    return home !== undefined && folderOf(from) !== home && !typeOnly
  })
  expect(outside).toEqual([])
})

test('every folder is on the list', () => {
  const folders = new Set(sourcesBelow('packages/fleet/src').map(folderOf))
  expect([...folders].filter(folder => !Object.hasOwn(allowed, folder))).toEqual([])
})

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [home, target] = [folderOf(from), folderOf(to)]
  const isShared = target === '/result.ts'
  return (
    isShared || home === target || (allowed[home] ?? []).includes(target) || (typeOnly && target === 'pg')
  )
}

/** The first folder of a path in the package; one in `src` has a slash before it. */
function folderOf(path: string): string {
  // An entry point of a package counts as the package.
  if (!path.endsWith('.ts')) return path.startsWith('hono/') ? 'hono' : path
  const outside = /^(?:\.\.\/)+src\/([^/]+)/.exec(path)
  return outside === null ? (path.split('/')[0] ?? path) : `/${outside[1]}`
}
