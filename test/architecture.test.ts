import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCommands } from '../src/cli/run.js'
import { isReadOnly } from './support/command-lines.js'
import {
  cycle,
  type Import,
  imports,
  importsOf,
  loadedBy,
  sources,
  sourcesBelow,
} from './support/import-graph.js'
import { root } from './support/manifests.js'

const commands = await loadCommands()

/** For each folder of src, what it may import. All other imports are forbidden, so a new one shows in this file. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Pure: functions of values. node:crypto only computes digests here, and reads public keys.
  contract: [],
  schema: ['contract'],
  // The rules are next to their texts, and suggest the nearest name.
  diagnostics: ['contract', 'schema', 'fastest-levenshtein'],
  manifest: ['contract', 'diagnostics', 'schema', 'js-yaml', 'yaml', 'node:crypto'],
  policy: ['contract', 'diagnostics', 'schema', 'manifest', 'node:crypto'],
  migrate: ['contract', 'diagnostics', 'schema', 'manifest'],
  plan: ['contract', 'diagnostics', 'schema', 'manifest', 'node:crypto'],
  // The shape of a site's responses, without their values.
  evidence: ['contract', 'schema'],
  // The files of CI systems.
  ci: ['manifest'],
  // The expectations of manifest tests, and their comparison with the results.
  'manifest-tests': ['diagnostics', 'schema', 'manifest'],
  // Folders with effects.
  secrets: [
    'contract',
    'diagnostics',
    'schema',
    'manifest',
    'node:fs',
    'node:fs/promises',
    'node:path',
    'node:util',
    'node:buffer',
    'node:crypto',
  ],
  state: [
    'schema',
    'manifest',
    'plan',
    'node:child_process',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:os',
    'node:path',
    'node:util',
  ],
  client: [
    'contract',
    'evidence',
    'diagnostics',
    'schema',
    'manifest',
    'plan',
    'secrets',
    'version.ts',
    'undici',
    'node:buffer',
    'node:crypto',
    'node:dns',
    'node:events',
    'node:net',
    'node:tls',
    'node:util',
    'node:zlib',
  ],
  apply: ['contract', 'diagnostics', 'plan', 'secrets', 'state', 'client'],
  operations: ['contract', 'diagnostics', 'secrets', 'client'],
  // Shared by commands and programs: from a file to a plan, and from a plan to its events. Prints nothing.
  library: [
    'diagnostics',
    'schema',
    'manifest',
    'policy',
    'plan',
    'secrets',
    'state',
    'client',
    'apply',
    'version.ts',
    'aws4fetch',
    'yaml',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:path',
  ],
  // A second implementation of the contract: independent of the client. It uses only descriptions from schema.
  emulator: [
    'contract',
    'schema',
    'node:http',
    'node:crypto',
    'node:net',
    'node:events',
    'node:stream',
    'node:timers/promises',
  ],
  // Functions of values; of folders with effects it imports only types.
  report: [
    'contract',
    'evidence',
    'diagnostics',
    'schema',
    'plan',
    'state',
    'client',
    'apply',
    'operations',
    'library',
    'manifest-tests',
    'node:crypto',
    'node:util',
  ],
  cli: [
    'contract',
    'evidence',
    'diagnostics',
    'schema',
    'manifest',
    'policy',
    'migrate',
    'plan',
    'secrets',
    'state',
    'client',
    'apply',
    'operations',
    'library',
    'emulator',
    'report',
    'manifest-tests',
    'version.ts',
    '@clack/prompts',
    'tinyglobby',
    'diff',
    'node:child_process',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:module',
    'node:path',
    'node:readline/promises',
    'node:os',
    'node:v8',
    'node:vm',
    'node:util',
    'yargs',
    'ci',
    'comment',
  ],
  // The only folder that calls the API of a CI.
  comment: ['manifest', 'apply', 'library', 'node:fs'],
  'index.ts': [
    'contract',
    'diagnostics',
    'evidence',
    'manifest',
    'policy',
    'plan',
    'secrets',
    'state',
    'client',
    'apply',
    'operations',
    'library',
    'report',
  ],
  // The other entry points of the published package: they only re-export, and nothing in the program imports them.
  entry: [
    'contract',
    'diagnostics',
    'manifest',
    'plan',
    'secrets',
    'state',
    'apply',
    'library',
    'report',
    'cli',
    'version.ts',
  ],
  'version.ts': [],
  'result.ts': [],
}

/** The type of results that may fail, which every folder may import. */
const everywhere = 'result.ts'

const readOnly = commands.filter(isReadOnly)

const pure = [
  'contract',
  'diagnostics',
  'schema',
  'manifest',
  'policy',
  'migrate',
  'plan',
  'evidence',
  'manifest-tests',
  'ci',
]

test('a site is assembled in one place, for programs and for commands', () => {
  const importers = (file: string) =>
    imports
      .filter(({ to, typeOnly }) => to === file && !typeOnly)
      .map(({ from }) => from)
      .toSorted()
  expect(importers('library/open-loaded.ts')).toEqual([
    'cli/manifest-tests/rehearsed-site.ts',
    'cli/site/open-session.ts',
    'library/open-site.ts',
  ])
  // The sign-in is set up in one place, and so is the check of what has changed since a plan was saved.
  expect(importers('client/sign-in-provider.ts')).toEqual(['index.ts', 'library/open-loaded.ts'])
  const judges = sources.filter(file =>
    /\b(?:staleFacts|isSamePlan)\(/.test(readFileSync(join(root, 'src', file), 'utf8')),
  )
  expect(judges).toEqual(['library/make-plan.ts', 'plan/saved/saved-plan.ts'])
})

test('each file on the path of a saved plan in the map is called by an earlier one', () => {
  const map = readFileSync(join(root, 'src/README.md'), 'utf8')
  const [, section = ''] = map.split('## The path of a saved plan\n')
  const path = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d+\. `([^`]+)`/gm)].map(
    ([, file = '']) => file,
  )
  expect([path.at(0), path.at(-1)]).toEqual(['cli/commands/apply.ts', 'client/connection.ts'])
  expect(new Set(path).size).toBe(path.length)
  const isCalled = (file: string, at: number) =>
    imports.some(({ from, to, typeOnly }) => to === file && !typeOnly && path.slice(0, at).includes(from))
  expect(path.filter((file, at) => at > 0 && !isCalled(file, at))).toEqual([])
})

test('there is one type for results that may fail', () => {
  const all = [
    sources.map(file => `src/${file}`),
    sourcesBelow('packages/fleet/src').map(file => `packages/fleet/src/${file}`),
  ]
  const typed = all.flat().filter(file => readFileSync(join(root, file), 'utf8').includes('readonly ok:'))
  expect(typed).toEqual(['src/result.ts'])
})

test('every import is on the list of its folder', () => {
  expect(violations(imports)).toEqual([])
})

test('report imports only types from folders with effects', () => {
  const effects = ['secrets', 'state', 'client', 'apply', 'operations', 'library']
  const values = imports.filter(
    ({ from, to, typeOnly }) => folderOf(from) === 'report' && effects.includes(folderOf(to)) && !typeOnly,
  )
  expect(values).toEqual([])
})

test('the library neither prints, nor prompts, nor ends the process, nor reads its environment', () => {
  const loaded = [...loadedBy('index.ts')].filter(file => file.endsWith('.ts'))
  const using = loaded.filter(file =>
    /\bconsole\.|\bprocess\.(?:env|argv|exit|stdin|stdout|stderr|on|once)\b|\{[^}]*\} = process\b/.test(
      readFileSync(join(root, 'src', file), 'utf8'),
    ),
  )
  expect(loaded.length).toBeGreaterThan(150)
  expect(using).toEqual([])
})

test('undici is loaded with the first connection, by its public name', () => {
  const values = imports.filter(({ to, typeOnly }) => /^undici/.test(to) && !typeOnly)
  expect(values.filter(({ to }) => to !== 'undici')).toEqual([])
  const fixed = values.filter(({ from }) =>
    /^import (?!type).* from 'undici'/m.test(readFileSync(join(root, 'src', from), 'utf8')),
  )
  expect(fixed).toEqual([])
})

test('the program imports nothing of the package for fleets, its database driver or its engine', () => {
  const known = imports.filter(({ to }) => /packages\/|^pg\b|@dbos/.test(to))
  expect(known).toEqual([])
})

test('only two files start other programs', () => {
  const starting = imports.filter(({ to }) => /^(?:node:)?(?:child_process|cluster|worker_threads)$/.test(to))
  expect([...new Set(starting.map(({ from }) => from))]).toEqual([
    'state/run-program.ts',
    'cli/terminal/process-host.ts',
  ])
})

test("the emulator's responses do not depend on sockets, logs or its page", () => {
  const deciding = ['service', 'field', 'faults', 'scenarios'].map(name => `emulator/${name}/`)
  const inside = (path: string) => deciding.some(folder => path.startsWith(folder))
  const outward = imports.filter(
    ({ from, to }) => inside(from) && (to.startsWith('emulator/') || to.startsWith('node:')) && !inside(to),
  )
  // Digests are functions of values.
  expect(outward.filter(({ to }) => to !== 'node:crypto')).toEqual([])
  expect(imports.filter(({ from }) => inside(from)).length).toBeGreaterThan(100)
})

/** The modules that can change a site. Signing in changes nothing there. */
const writing = [
  'client/site-writer.ts',
  'client/site-operator.ts',
  'client/wire/multipart.ts',
  'apply/apply.ts',
]

describe('a command that only reads', () => {
  const readers = readOnly.map(({ name }) => [name, `cli/commands/${name.replaceAll(' ', '-')}.ts`] as const)

  test.each(readers)('cannot load a module that can write to a site: %s', (_name, file) => {
    const loaded = loadedBy(file)
    expect(loaded.size).toBeGreaterThan(1)
    expect(writing.filter(one => loaded.has(one))).toEqual([])
  })

  test('has only the GET of a connection to a site', () => {
    const naming = sources.filter(file =>
      /import (?:\{[^}]*\b(?:open|send)\b[^}]*\}|\* .*) from '[./a-z]*\/connection\.js'/.test(
        readFileSync(join(root, 'src', file), 'utf8'),
      ),
    )
    // A command that reads may keep its state on a server.
    expect(naming).toEqual([
      'client/sign-in.ts',
      'client/site-operator.ts',
      'client/site-writer.ts',
      'library/reach-store.ts',
    ])
  })

  test('is distinguished from commands that write', () => {
    expect(writing.filter(one => !sources.includes(one))).toEqual([])
    expect(writing.filter(one => !loadedBy('cli/commands/apply.ts').has(one))).toEqual([
      'client/site-operator.ts',
    ])
    expect(loadedBy('cli/commands/plan.ts').has('client/connection.ts')).toBe(true)
  })
})

test('files do not import each other in a circle, not even for types', () => {
  expect(cycle(imports)).toBeUndefined()
})

test('folders do not import each other in a circle, not even for types', () => {
  const between = imports
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to), typeOnly: false }))
    .filter(({ from, to }) => from !== to)
  expect(cycle(between)).toBeUndefined()
})

// A worker loads a module once: hooks of a shared module would apply only to the first test file that imports it.
test('shared modules of tests set no hooks when they are loaded', () => {
  const shared = sourcesBelow('test').filter(file => !file.endsWith('.test.ts'))
  const setting = shared.filter(file =>
    /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join(root, 'test', file), 'utf8')),
  )
  expect(shared).not.toEqual([])
  expect(setting).toEqual([])
})

describe('this test', () => {
  test.each(pure.flatMap(folder => ['node:fs', 'node:http', 'undici'].map(to => [folder, to] as const)))(
    'fails when %s imports %s',
    (folder, to) => {
      expect(violations([{ from: `${folder}/some.ts`, to, typeOnly: false }])).toHaveLength(1)
    },
  )

  test.each([
    ['client', 'emulator'],
    ['emulator', 'client'],
    ['contract', 'manifest'],
    ['plan', 'client'],
    ['cli', 'undici'],
    ['manifest', 'ajv'],
  ])('fails when %s imports %s', (from, to) => {
    const target = to === 'undici' || to === 'ajv' ? to : `${to}/some.ts`
    expect(violations([{ from: `${from}/some.ts`, to: target, typeOnly: true }])).toHaveLength(1)
  })

  test('finds a cycle', () => {
    const arrow = (from: string, to: string) => ({ from, to, typeOnly: false })
    expect(cycle([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'a')])).toEqual(['a', 'b', 'c', 'a'])
  })

  test('reads every way of importing', () => {
    const text = `import a from 'x1'\nimport {\n  b,\n} from 'x2'\nexport { c } from 'x3'\nimport 'x4'\nimport type { T } from 'x5'\nawait import('x6')`
    expect(importsOf('f.ts', text).map(({ to, typeOnly }) => `${to}${typeOnly ? ' type' : ''}`)).toEqual([
      'x1',
      'x2',
      'x3',
      'x4',
      'x5 type',
      'x6',
    ])
  })

  test('sees all sources', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(new Set(sources.map(folderOf))).toEqual(new Set(Object.keys(allowed)))
  })
})

function violations(found: readonly Import[]): readonly string[] {
  return found
    .filter(
      ({ from, to }) =>
        folderOf(from) !== folderOf(to) &&
        folderOf(to) !== everywhere &&
        !(allowed[folderOf(from)] ?? []).includes(folderOf(to)),
    )
    .map(({ from, to }) => `${from} imports ${to}`)
}

/** The first folder of a path in src, or the package or module itself. */
function folderOf(path: string): string {
  return /\.ts$/.test(path) ? (path.split('/')[0] ?? path) : path
}

describe('the command line', () => {
  test('is parsed in one place, by yargs', () => {
    expect(imports.filter(({ to }) => to === 'yargs').map(({ from }) => from)).toEqual([
      'cli/command-line/yargs-table.ts',
    ])
    const others = sources.filter(file => readFileSync(join(root, 'src', file), 'utf8').includes('parseArgs'))
    expect(others).toEqual([])
  })

  test('has types for option values only from their declarations', () => {
    const byHand = ['src', 'packages/fleet/src'].flatMap(folder =>
      sourcesBelow(folder)
        .filter(file => folder !== 'src' || file.startsWith('cli/'))
        .filter(file =>
          /readonly '[a-z]+(?:-[a-z]+)+'\??:/.test(readFileSync(join(root, folder, file), 'utf8')),
        ),
    )
    expect(byHand).toEqual([])
  })

  test('has one file for each command, which loads no other command', async () => {
    const names = commands.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    // `fleet.ts` declares the commands of the package, which implements them.
    const files = names.map(name => (name.startsWith('fleet ') ? 'fleet' : name.replaceAll(' ', '-')))
    const inFolder = sources.filter(file => file.startsWith('cli/commands/'))
    expect(inFolder.toSorted()).toEqual([...new Set(files)].map(file => `cli/commands/${file}.ts`).toSorted())
    const others = inFolder.filter(file => file !== 'cli/commands/validate.ts')
    expect(others.filter(file => loadedBy('cli/commands/validate.ts').has(file))).toEqual([])
    expect(writing.filter(one => loadedBy('cli/commands/validate.ts').has(one))).toEqual([])
    expect(loadedBy('cli/commands/validate.ts').has('client/connection.ts')).toBe(false)
    for (const file of others)
      expect(inFolder.filter(one => one !== file && loadedBy(file).has(one))).toEqual(
        loadedBy(file).has('cli/site/state-option.ts') ? ['cli/commands/fleet.ts'] : [],
      )
  })
})
