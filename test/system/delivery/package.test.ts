import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { emulatorProcess } from '../../support/emulator-process.js'
import { root } from '../../support/manifests.js'
import { installedNode } from '../../support/other-nodes.js'
import { runProgram } from '../../support/program.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { packedComplaints, packedInto, tarEntries } from './packed.js'

let tarball = ''
let folder = ''
let installed = ''

beforeAll(async () => {
  const place = await temporaryFolder()
  ;[tarball = ''] = await packedInto(place)
  folder = join(place, 'empty')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  // Uses no registry, and a new cache, since a filled one could stand in for it.
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(place, 'npm'), tarball]
  expect(await runProgram('npm', words, { cwd: folder })).toMatchObject({ code: 0 })
  for (const [from, to] of [
    ['examples/quickstart.yaml', 'site.yaml'],
    ['examples/licenses', 'licenses'],
    ['examples/library/apply.mjs', 'apply.mjs'],
    ['test/invalid/volume/missing-component.yaml', 'wrong.yaml'],
  ] as const)
    cpSync(join(root, from), join(folder, to), { recursive: true })
  installed = join(folder, 'node_modules/landform')
})
const read = (file: string) => readFileSync(join(installed, file), 'utf8')

function filesInPackage(): readonly string[] {
  return readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(installed.length + 1))
}

function judged(judge: string, words: readonly string[]) {
  return runProgram(process.execPath, [join(root, 'node_modules', judge), ...words, tarball])
}

test('the package contains only programs, types, schemas and notices', () => {
  const types = filesInPackage().filter(file => /^dist\/lib\/.+\.d\.ts$/.test(file))
  expect(types).toContain('dist/lib/index.d.ts')
  const others = filesInPackage().filter(file => !types.includes(file))
  expect([...others].sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/bin/check.cjs',
    'dist/bin/landform.cjs',
    'dist/bin/main.cjs',
    'dist/lib/entry/cli.js',
    'dist/lib/entry/report.js',
    'dist/lib/entry/sites.js',
    'dist/lib/entry/state.js',
    'dist/lib/index.js',
    'dist/sbom.cdx.json',
    'package.json',
    ...readdirSync(join(root, 'schemas'))
      .map(name => `schemas/${name}`)
      .sort(),
  ])
})

test('nothing in it reveals the user, time, machine or permissions of packing', () => {
  const entries = tarEntries(readFileSync(tarball))
  expect(packedComplaints(entries, [root], ['package/dist/bin/landform.cjs'])).toEqual([])
})

test('it is small: 1.2 MB to download, 4.6 MB on the disk', () => {
  expect(statSync(tarball).size).toBeLessThan(1_200_000)
  const sizes = filesInPackage().map(file => statSync(join(installed, file)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_600_000)
})

test('it has no dependencies and no install scripts', () => {
  const manifest = JSON.parse(read('package.json'))
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'scripts']
  expect(fields.filter(field => field in manifest)).toEqual([])
  expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(['.bin', '.package-lock.json', 'landform'])
})

test('its programs and types require only Node', () => {
  const wanted = filesInPackage()
    .filter(file => /\.(cjs|js|d\.ts)$/.test(file))
    .flatMap(file => [
      ...read(file).matchAll(/(?:\brequire\(|\bfrom ?|\bimport\(? ?)["']([@\w][^"'\s]*)["']/g),
    ])
    .map(([, module = '']) => module)
  expect(wanted).toContain('node:fs')
  // undici loads some built-in modules only if they exist; older versions of Node lack them.
  expect([...new Set(wanted)].filter(one => !isBuiltin(one) && !one.startsWith('node:'))).toEqual([])
})

test('an exception in the library prints one line of code, not all of it', () => {
  const lengths = read('dist/bin/main.cjs')
    .split('\n')
    .map(({ length }) => length)
  expect(Math.max(...lengths)).toBeLessThan(5_000)
})

test('npm publishes only the packages that the pack script creates', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({ private: true })
  expect(JSON.parse(read('package.json'))).not.toHaveProperty('private')
})

test('publint reports nothing', async () => {
  expect(await judged('publint/src/cli.js', ['run', '--strict'])).toMatchObject({ code: 0 })
})

test('every way to import it resolves to matching types', async () => {
  const { code, stdout } = await judged('@arethetypeswrong/cli/dist/index.js', [
    '--profile',
    'esm-only',
    '--format',
    'ascii',
  ])
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('node16 (from ESM): 🟢'),
  })
})

/** A use of the installed package: `landform` is its program, `node` the one under test. */
type Use = readonly [program: 'landform' | 'node', words: readonly string[], says: RegExp, code?: number]

const schema =
  "import schema from 'landform/schemas/deployment.schema.json' with { type: 'json' }; console.log(schema.title)"
const entryPoints = `const { UsageError, exitCodes } = require('landform/cli')
  console.log(new UsageError('x') instanceof Error, exitCodes.done, ...[['report', 'display'], ['sites', 'openSite'],
    ['state', 'isPending']].map(([entry, name]) => typeof require('landform/' + entry)[name]))`

/** The uses as a program and as a library; `url` is that of an emulator. */
const uses = (url: string): readonly Use[] => [
  ['landform', ['--version'], /^\d+\.\d+\.\d+\n$/],
  ['landform', ['validate', 'site.yaml'], /^1 file, 0 errors/],
  ['landform', ['validate', 'wrong.yaml'], /volume\/missing/, 65],
  ['landform', ['plan', '--emulate', 'site.yaml'], /1 to create, 1 to update/],
  ['landform', ['apply', '--emulate', 'site.yaml'], /^Success: the site was verified ready/m],
  ['node', ['-e', "console.log(typeof require('landform').planSite)"], /^function$/m],
  ['node', ['-e', entryPoints], /^true 0 function function function$/m],
  ['node', ['--input-type=module', '-e', schema], /\w/],
  ['node', ['apply.mjs', 'site.yaml', url], /^success: the site was verified ready/m],
]

/** Tries all uses of the package with a Node program. Returns the failures. */
async function usePackage(node: string): Promise<readonly string[]> {
  const path = [join(folder, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(':')
  const env = { PATH: path, HOME: folder, ...someSecrets }
  const emulator = await emulatorProcess(['--stage-time', '20ms'], 1, {
    command: ['landform'],
    cwd: folder,
    env,
  })
  const [url = ''] = emulator.urls
  const tried = uses(url).map(async ([program, words, says, code = 0]) => {
    const ended = await runProgram(program, words, { cwd: folder, env })
    const fits = ended.code === code && says.test(ended.stdout + (code === 0 ? '' : ended.stderr))
    return fits ? [] : [`${words.join(' ')} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`]
  })
  return (await Promise.all(tried)).flat()
}

const nodes: readonly (readonly [string, string | undefined])[] = [
  ['of this run', process.execPath],
  ...['22', '24', '26'].map(version => [version, installedNode(version)] as const),
]
const missing = nodes.flatMap(([version, node]) => (node === undefined ? [version] : []))
if (missing.length > 0)
  process.stderr.write(`\nSKIPPED: the package on Node ${missing.join(', ')}, which \`.ci/run\` installs\n\n`)

describe.each(nodes)('on Node %s', (_, node) => {
  const tried = node === undefined ? test.skip : test

  tried(
    'in an empty folder, without a registry, it validates, plans, applies and works as a library',
    async () => {
      expect(await usePackage(node ?? '')).toEqual([])
    },
  )
})

const consumer = `import {
  type ApplyEvent, applySite, describeOutcome, describeProblem, fileBackend, planSite, type Receipt, type SitePorts,
  type SiteProblem, type StateBackend,
} from 'landform'

const ports: SitePorts = { random: () => 0.5 }
const state: StateBackend = fileBackend('state')
const signal = AbortSignal.timeout(9)
const planned = await planSite({ file: 'site.yaml', environment: { LANDFORM_TOKEN: 'x' }, state, ports, signal })
// @ts-expect-error Whether there is a plan has to be asked first.
export const early = planned.value
export const problem: SiteProblem | undefined = planned.ok ? undefined : planned.error
if (!planned.ok) {
  if (planned.error.kind === 'manifest')
    for (const { code, place } of planned.error.diagnostics) console.error(code, place?.start.line)
  throw new Error(describeProblem(planned.error))
}
const stream: AsyncGenerator<ApplyEvent, Receipt> = applySite(planned.value, { pollMs: 1000 })
for await (const event of stream)
  if (event.type === 'stream-finished') console.log(describeOutcome(event.outcome))
`

test.each([{ module: 'NodeNext' }, { module: 'ESNext', moduleResolution: 'Bundler' }])(
  'a strict TypeScript program compiles against it with %j',
  async resolution => {
    writeFileSync(join(folder, 'consumer.ts'), consumer)
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
    const all = { ...resolution, ...strict, verbatimModuleSyntax: true, skipLibCheck: false, noEmit: true }
    const typeRoots = [join(root, 'node_modules/@types')]
    const compilerOptions = { target: 'ES2023', types: ['node'], typeRoots, ...all }
    const project = join(folder, 'tsconfig.json')
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { code, stdout } = await runProgram(process.execPath, [compiler, '-p', project])
    expect([code, stdout]).toEqual([0, ''])
  },
)
