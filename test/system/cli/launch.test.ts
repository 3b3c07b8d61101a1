import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { commands, groups, run } from '../../../src/cli/run.js'
import { newestSchema } from '../../../src/schema/manifest-schema.js'
import { version } from '../../../src/version.js'
import { fakeHost } from '../../support/fake-host.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const valid = ['validate', 'examples/quickstart.yaml']
const invalid = ['validate', 'test/invalid/volume/missing-component.yaml']

function launched(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = landformProgram,
) {
  const { PATH = '' } = process.env
  const options = { cwd: root, encoding: 'utf8', env: { PATH, ...environment } } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  return { status, stdout, stderr }
}

/** A program of its own, with all that belongs to it, and where it keeps compiled code. */
async function ownProgram() {
  const place = await temporaryFolder()
  const [bin, folder] = [join(place, 'bin'), join(place, 'compiled')]
  cpSync(dirname(landformProgram), bin, { recursive: true })
  const start = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    launched(args, environment, join(bin, basename(landformProgram)))
  return {
    bin,
    folder,
    start,
    /** The compiled code after some runs. */
    after(...runs: readonly (readonly string[])[]) {
      for (const args of runs) expect(start(args).stderr).toBe('')
      return existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
    },
  }
}

test('the launcher says the version', () => {
  expect(launched(['--version'], {}).stdout).toBe(`${version}\n`)
})

const helps = [
  [],
  ...[...commands, ...Object.keys(groups).map(name => ({ name }))].map(({ name }) => name.split(' ')),
]

test('the launcher says the help of the program, of each group and of each command as the program does', async () => {
  const folder = await withoutBundles()
  for (const words of helps) {
    const host = fakeHost({ columns: 80 })
    await run([...words, '--help'], host)
    expect(launched([...words, '--help'], {}, join(folder, 'landform.cjs'))).toEqual({
      status: 0,
      stdout: host.out(),
      stderr: '',
    })
  }
})

test.each([
  [['-h']],
  [['help']],
  [['plan', '-h']],
  [['help', 'plan']],
  [['lint', '--help']],
  [['help', 'state', 'show']],
])('%j is such a question, too', async words => {
  const host = fakeHost({ columns: 80 })
  await run(words, host)
  const { stdout } = launched(words, {}, join(await withoutBundles(), 'landform.cjs'))
  expect(stdout).toBe(host.out())
})

test.each([
  [['plan', 'site.yaml', '--help']],
  [['emulate', '--port', '0', '-h']],
  [['help', 'nothing']],
  [['help', 'toString']],
  [['state', 'nothing', '--help']],
  [['--help', 'plan']],
])('%j is left to the program', async words => {
  const host = fakeHost({ columns: 80 })
  const status = await run(words, host)
  expect(launched(words, {})).toEqual({ status, stdout: host.out(), stderr: host.err() })
})

/** The launcher and the help alone. */
async function withoutBundles() {
  const folder = await temporaryFolder()
  for (const name of ['landform.cjs', 'help.json'])
    cpSync(join(dirname(landformProgram), name), join(folder, name))
  return folder
}

test('the bundles are ASCII, as the launcher reads them', () => {
  const folder = join(root, 'dist', 'bin')
  for (const name of readdirSync(folder).filter(name => name.endsWith('.cjs')))
    expect([name, readFileSync(join(folder, name)).findIndex(byte => byte > 0x7f)]).toEqual([name, -1])
})

test('what finds fields reads the schema that the sources build, and builds none', () => {
  const bundled = (name: string) => readFileSync(join(root, 'dist', 'bin', name), 'utf8')
  expect(JSON.parse(bundled('newest-schema.json'))).toStrictEqual(newestSchema)
  const ofBuilder = 'Landform manifest for service version'
  expect(['main', 'check', 'findings'].map(name => bundled(`${name}.cjs`).includes(ofBuilder))).toEqual([
    true,
    false,
    false,
  ])
})

test('a clean manifest is checked without what places a mistake', () => {
  const bundle = (name: string) => readFileSync(join(root, 'dist', 'bin', `${name}.cjs`), 'latin1')
  const check = bundle('check')
  expect(check.length).toBeLessThan(220_000)
  const ofYaml = 'Map keys must be unique'
  expect([bundle('yaml').includes(ofYaml), check.includes(ofYaml)]).toEqual([true, false])
})

test.each([
  [invalid, ['net', 'stream', 'tty']],
  [
    ['plan', 'examples/quickstart.yaml', '--url', 'http://127.0.0.1:1/arcgis/admin'],
    ['child_process', 'dns', 'tty'],
  ],
])('%j loads nothing of Node that it does not use, such as %j', async (args, unused) => {
  const probe = join(await temporaryFolder(), 'probe.cjs')
  const said = `require('node:fs').writeSync(2, ' ' + process.moduleLoadList.join(' ') + ' ')`
  writeFileSync(probe, `process.on('exit', () => ${said})`)
  const words = ['-r', probe, join(root, 'dist', 'bin', 'landform.cjs'), ...args]
  const { stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { ...someSecrets, LANDFORM_CODE_CACHE: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  expect(stderr).toContain(' NativeModule path ')
  expect(unused.filter(name => stderr.includes(` NativeModule ${name} `))).toEqual([])
})

test.each([
  ['validate', 150],
  ['plan', 275],
])('%s of a clean manifest executes less than %d kB of the program', async (command, limit) => {
  const folder = await temporaryFolder()
  const file = join(folder, 'site.yaml')
  const text = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
  cpSync(join(root, 'examples', 'licenses'), join(folder, 'licenses'), { recursive: true })
  // Nobody listens there: the plan ends at its first request, of which the connection is ready.
  writeFileSync(file, text.replace(/https:[^ ]*admin\b/, 'http://127.0.0.1:1/arcgis/admin'))
  const seen = join(folder, 'seen')
  launched([command, file], { ...someSecrets, LANDFORM_CODE_CACHE: 'off', NODE_V8_COVERAGE: seen })
  const executed = readdirSync(seen).reduce((sum, name) => sum + countExecuted(join(seen, name)), 0)
  expect(executed).toBeGreaterThan(100_000)
  expect(executed).toBeLessThan(1000 * limit)
})

/** Counts the characters of the functions of the bundles that V8 has seen run, without functions inside that have not. */
function countExecuted(file: string): number {
  const { result } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly result: readonly {
      readonly url: string
      readonly functions: readonly {
        readonly ranges: readonly [
          { readonly startOffset: number; readonly endOffset: number; readonly count: number },
        ]
      }[]
    }[]
  }
  const bundles = result.filter(({ url }) => url.includes(join('dist', 'bin')))
  return bundles.reduce((sum, { functions }) => {
    const inOrder = functions
      .map(({ ranges: [{ startOffset: from, endOffset: to, count }] }) => ({ from, to, hasRun: count > 0 }))
      .toSorted((a, b) => a.from - b.from || b.to - a.to)
    const around: (typeof inOrder)[number][] = []
    let executed = 0
    for (const one of inOrder) {
      while ((around.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= one.from) around.pop()
      if (around.at(-1)?.hasRun) executed -= one.to - one.from
      if (one.hasRun) executed += one.to - one.from
      around.push(one)
    }
    return sum + executed
  }, 0)
}

test.each([
  [[...invalid, '--format', 'gitlab']],
  [[...valid, '--check-secrets']],
  [['validate', 'test/*/volume/missing-*.yaml']],
])('the bundled program says of %j what the program says', async args => {
  const host = fakeHost({ columns: 80 })
  const status = await run(args, host)
  const told = launched(args, { LANDFORM_CODE_CACHE: 'off' })
  expect([told.status, told.stdout, told.stderr]).toEqual([status, host.out(), host.err()])
})

test.each(['validate', 'render'])('%s ends with 70 where nothing goes on any more', command => {
  const { PATH = '' } = process.env
  // Reading never comes to anything, and nothing else keeps the process alive.
  const input = '{ value: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) } }'
  const stalled = `data:text/javascript,Object.defineProperty(process, 'stdin', ${input})`
  const words = ['--import', stalled, landformProgram, command, '-']
  const { status } = spawnSync(process.execPath, words, { cwd: root, env: { PATH } })
  expect(status).toBe(70)
})

test.each([
  [0, valid],
  [64, [...valid, '--fast']],
  [65, invalid],
  [66, ['validate', 'nowhere.yaml']],
  [66, ['validate', `${'long'.repeat(100)}.yaml`]],
  [69, ['plan', 'examples/quickstart.yaml', '--url', 'http://127.0.0.1:9/admin']],
])('the program itself ends with %i after %j', (expected, args) => {
  expect(launched(args, { LANDFORM_CODE_CACHE: 'off' }).status).toBe(expected)
})

test('the product is put on stdout, and everything else on stderr', () => {
  const args = ['apply', '--emulate', 'examples/quickstart.yaml', '--format', 'json']
  const { stdout, stderr } = launched(args, { LANDFORM_CODE_CACHE: 'off' })
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, outcome: 'done', exitCode: 0 })
  expect(stderr).toContain('Queue store: completed')
})

test('where nobody reads the help, the exit code says so and nothing else', async () => {
  const child = spawn(process.execPath, [landformProgram, '--help'])
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([141, ''])
})

test.each([[valid], [['schema']]])(
  'the code that %j compiled is kept beside the program, where only its owner can write, and used again',
  async args => {
    const { folder, after } = await ownProgram()
    const [file = ''] = after(args)
    expect([statSync(folder).mode & 0o022, statSync(file).mode & 0o022]).toEqual([0, 0])
    const written = statSync(file).mtimeMs
    after(args)
    expect(statSync(file).mtimeMs).toBe(written)
  },
)

test('a check adds what it compiled where help came first', async () => {
  const { after } = await ownProgram()
  const compiled = (files: readonly string[]) => files.find(file => basename(file).startsWith('line-')) ?? ''
  const help = ['validate', '--fix', '--help']
  const ofHelp = readFileSync(compiled(after(help)))
  const ofCheck = readFileSync(compiled(after(['validate', '--format', 'text', 'examples/quickstart.yaml'])))
  expect(ofCheck).not.toEqual(ofHelp)
  // Help takes nothing of it away again.
  expect(readFileSync(compiled(after(help)))).toEqual(ofCheck)
})

test('a run that finds a mistake adds what it compiled, once', async () => {
  const { after, start } = await ownProgram()
  const size = () => statSync(after().find(file => basename(file).startsWith('check-')) ?? '').size
  after(valid)
  const small = size()
  start(invalid)
  const large = size()
  expect(large).toBeGreaterThan(small)
  start(valid)
  expect(size()).toBe(large)
})

test('what a check of one file compiled replaces what a check of many did, and never the other way', async () => {
  const { after, start } = await ownProgram()
  const compiled = () => readFileSync(after().find(file => basename(file).startsWith('check-')) ?? '')
  const many = ['validate', 'test/invalid/volume']
  start(many)
  const ofMany = compiled()
  start(invalid)
  const ofOne = compiled()
  expect(ofOne.length).toBeLessThan(ofMany.length * 0.9)
  start(many)
  expect(compiled()).toEqual(ofOne)
})

test('what a check and a plan compiled of one file do not replace each other', async () => {
  const { after, start } = await ownProgram()
  const runs = [invalid, ['plan', '--offline', ...invalid.slice(1)]]
  const times = () => after().map(file => [basename(file), statSync(file).mtimeMs])
  for (const run of runs) start(run)
  const before = times()
  expect(before.filter(([name]) => /^yaml-/.test(String(name)))).toHaveLength(2)
  for (const run of runs) start(run)
  expect(times()).toEqual(before)
})

test('a plan adds what it compiled, also after a mistyped command, which takes nothing away again', async () => {
  const { after, start } = await ownProgram()
  const size = () => statSync(after().find(file => file.includes('main-plan-')) ?? '').size
  start(['plan', '--no-such-option'])
  const small = size()
  start(['plan', '--offline', 'examples/quickstart.yaml'])
  const large = size()
  expect(large).toBeGreaterThan(small * 1.2)
  start(['plan', '--no-such-option'])
  start(['schema'])
  expect(size()).toBe(large)
})

test('every kind of command has compiled code of its own bundle', async () => {
  const bundles = (await ownProgram()).after(valid, ['schema'], ['validate', '--fix', '--help'])
  const named = bundles.map(file => /([a-z]+(?:-[a-z]+)?)-[0-9a-f]{16}-[^/]*$/.exec(file)?.[1])
  expect(named.sort()).toEqual(['check', 'line', 'line-other', 'main-other'])
})

test.each([
  ['garbage', (file: string) => writeFileSync(file, 'garbage')],
  ['nothing', (file: string) => writeFileSync(file, '')],
  ['half of it', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
  // What a loss of power leaves of a file.
  ['a page of zeros', (file: string) => writeFileSync(file, readFileSync(file).fill(0, 40_960, 45_056))],
])('%s in place of compiled code costs time and nothing else', async (_, damage) => {
  const { after, start } = await ownProgram()
  const [file = ''] = after(valid)
  damage(file)
  const { status, stdout, stderr } = start(valid)
  expect([status, stdout, stderr]).toEqual([0, '1 file, 0 errors, 0 warnings\n', ''])
})

test('what other builds left there goes when this one writes', async () => {
  const { folder, after } = await ownProgram()
  mkdirSync(folder)
  for (const name of ['check-0123456789abcdef-v1-x64', 'main-0123456789abcdef-v1-x64', 'mine.txt'])
    writeFileSync(join(folder, name), '')
  const names = after(valid).map(file => basename(file))
  expect(names.filter(name => name.includes('0123456789abcdef'))).toEqual(['main-0123456789abcdef-v1-x64'])
  expect(names).toContain('mine.txt')
})

/** Writes what runs in place of the check where its compiled code is believed: V8 compares no more of a source than its length. */
const lying = `const [bin, file] = process.argv.slice(1)
const fs = require('node:fs')
const wrapped = text => '(function (require, module, exports) {' + text + '\\n})'
const { length } = wrapped(fs.readFileSync(bin + '/check.cjs', 'latin1'))
const lie = wrapped("console.log('Done');").replace('\\n', ' '.repeat(length - wrapped("console.log('Done');").length) + '\\n')
const script = new (require('node:vm').Script)(lie, { filename: bin + '/check.cjs', lineOffset: 0 })
script.runInThisContext()
const code = Buffer.concat([script.createCachedData(), Buffer.of(4)])
fs.writeFileSync(file, Buffer.concat([code, code]))`

/** In a process of its own, since code that was compiled under other flags is refused. */
function lieIn(bin: string, file: string): void {
  expect(spawnSync(process.execPath, ['-e', lying, bin, file], { encoding: 'utf8' }).stderr).toBe('')
}

test('compiled code in a folder of the user, or anywhere but beside the program, is not run', async () => {
  const { bin, after, start } = await ownProgram()
  const [file = ''] = after(valid)
  const home = await temporaryFolder()
  for (const folder of [join(home, 'landform'), join(home, '.cache/landform')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    lieIn(bin, join(folder, basename(file)))
  }
  const { stdout } = start(valid, { HOME: home, XDG_CACHE_HOME: home })
  expect(stdout).toBe('1 file, 0 errors, 0 warnings\n')
})

test('compiled code is run as it is, so that nothing of it counts that others could have written, nor in CI', async () => {
  const { bin, folder, after, start } = await ownProgram()
  const [file = ''] = after(valid)
  lieIn(bin, file)
  // So it would be run: what follows shows something.
  expect(start(valid).stdout).toBe('Done\n')
  expect(start(valid, { CI: 'true' }).stdout).toBe('1 file, 0 errors, 0 warnings\n')
  lieIn(bin, file)
  chmodSync(file, 0o666)
  expect(start(valid).stdout).toBe('1 file, 0 errors, 0 warnings\n')
  lieIn(bin, file)
  chmodSync(folder, 0o777)
  expect(start(valid).stdout).toBe('1 file, 0 errors, 0 warnings\n')
})

test('in CI, and in a folder that others can write, nothing is kept', async () => {
  const { folder, start, after } = await ownProgram()
  start(valid, { CI: 'true' })
  expect(after()).toEqual([])
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  expect(after(valid)).toEqual([])
})

test.each([
  ['switched off', { LANDFORM_CODE_CACHE: 'off' }],
  ['in CI', { CI: '' }],
])('without compiled code, %s, everything works', (_, environment) => {
  expect(launched(valid, environment).status).toBe(0)
  expect(launched(invalid, environment).status).toBe(65)
})
