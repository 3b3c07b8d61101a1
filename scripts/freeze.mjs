// Writes what every command prints over examples/ and test/invalid/, so that two builds can be compared:
//   node scripts/freeze.mjs FOLDER [--program FILE] [--inputs CHECKOUT]
//   diff -r BEFORE AFTER
// It is the gate while the sources become smaller, and goes when they are.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: join(root, 'dist/bin/landform.cjs') },
    inputs: { type: 'string', default: root },
  },
})
const out = resolve(positionals[0] ?? 'frozen')
const program = resolve(values.program)
const folder = mkdtempSync(join(tmpdir(), 'freeze-'))
for (const inputs of ['examples', 'test/invalid', 'test/transcripts'])
  cpSync(join(values.inputs, inputs), join(folder, inputs), { recursive: true })
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const filesBelow = (path, pattern) =>
  readdirSync(join(folder, path), { recursive: true })
    .filter(name => pattern.test(name))
    .map(name => `${path}/${name}`)
    .sort()
const validateFormats = ['json', 'sarif', 'github', 'gitlab']
const planFormats = ['json', 'markdown', 'html', 'gitlab']
const driftFormats = ['json', 'markdown']

/** Each run: the name of its output, the words of its command line, and the formats that it writes to files beside. */
const runs = []
const add = (name, words, formats = []) => runs.push({ name, words, formats })

for (const file of filesBelow('.', /\.ya?ml$/)) {
  const name = file.replace(/^\.\//, '').replaceAll('/', '~')
  add(`validate ${name}`, ['validate', file], validateFormats)
  add(`fix ${name}`, ['validate', '--fix', '--dry-run', file])
}
for (const command of ['test/invalid', 'examples', 'examples/environments', '.'])
  add(`validate all ${command.replaceAll('/', '~')}`, ['validate', command], validateFormats)
for (const file of filesBelow('test/invalid/policy', /\.yaml$/))
  add(`policy ${basename(file)}`, ['validate', 'examples/quickstart.yaml', '--policy', file], ['json'])
for (const file of filesBelow('test/invalid/properties', /./))
  add(`init ${basename(file)}`, ['init', `out-${basename(file)}.yaml`, '--yes', '--from-properties', file])
for (const file of filesBelow('test/invalid/scenario', /\.yaml$/))
  add(`scenario ${basename(file)}`, ['plan', 'examples/quickstart.yaml', '--emulate', '--scenario', file])
for (const file of [
  ...filesBelow('examples', /\.test\.yaml$/),
  ...filesBelow('test/invalid/test', /\.yaml$/),
])
  add(`test ${basename(file)}`, ['test', file], ['json', 'junit', 'github'])

const examples = readdirSync(join(folder, 'examples')).filter(name => name.endsWith('.yaml'))
const sites = [
  ...examples.map(name => `examples/${name}`),
  'examples/environments/production/site.yaml',
  'examples/environments/development/site.yaml',
]
for (const site of sites) {
  const name = site.replaceAll('/', '~')
  add(`render yaml ${name}`, ['render', site])
  add(`render json ${name}`, ['render', site, '--format', 'json'])
  add(`render wire ${name}`, ['render', site, '--wire'])
  add(`plan offline ${name}`, ['plan', site, '--offline', '--state', 'file:none'], planFormats)
  add(`plan emulate ${name}`, ['plan', site, '--emulate', '-v', '--detailed-exitcode'], planFormats)
  add(`apply ${name}`, ['apply', site, '--emulate', '--yes', '--progress', 'json'], ['json'])
  add(`apply refused ${name}`, ['apply', site, '--emulate', '--no-input'])
  add(`drift ${name}`, ['drift', site, '--emulate', '-v'], driftFormats)
  add(`status ${name}`, ['status', site, '--emulate'], ['json'])
  for (const path of ['spec.profile', 'spec.volumes.BLOB.size', 'spec.nothing'])
    add(`why ${path} ${name}`, ['why', path, site], ['json'])
}
for (const version of ['10.8', '10.9', '10.9.1', '11.0', '11.1', '11.2', '11.3', '11.4', '11.5', '12.0'])
  add(`schema ${version}`, ['schema', '--service-version', version])
add('validate versions', ['validate', 'examples', '--service-version', '10.9,11.2,11.4'], ['json'])

const codes = new Set(
  readdirSync(join(folder, 'test/invalid')).flatMap(group =>
    readdirSync(join(folder, 'test/invalid', group)).map(name => `${group}/${name.split('.')[0]}`),
  ),
)
for (const subject of [
  ...codes,
  'spec.volumes',
  'spec.administrator.password',
  'spec.cloudStorage',
  'metadata.name',
])
  add(`explain ${subject.replaceAll('/', '~')}`, ['explain', subject])

const commands = [
  ...[
    'init',
    'validate',
    'render',
    'plan',
    'show',
    'apply',
    'status',
    'drift',
    'probe',
    'adopt',
    'export-site',
  ],
  ...['webhooks', 'webhooks delete-all', 'state', 'state show', 'state list', 'state unlock', 'state move'],
  ...[
    'state discard-intent',
    'fleet',
    'fleet submit',
    'fleet worker',
    'fleet status',
    'fleet ui',
    'why',
    'explain',
  ],
  ...['schema', 'test', 'emulate', 'completion', ''],
]
for (const command of commands) {
  const words = command.split(' ').filter(word => word !== '')
  add(`help ${command}`, [...words, '--help'])
  add(`bare ${command}`, words[0] === 'emulate' || words[0] === 'test' ? [...words, '--none'] : words)
  add(`typo ${command}`, [...words, '--no-such-option=1'])
}
for (const words of [
  ['--version'],
  ['valdiate', 'examples'],
  ['validate', '--yes=maybe', 'examples'],
  ['validate', 'examples', '--fail-on', 'error', '--fail-on', 'warning'],
  ['validate', 'examples', '--fail-on'],
  ['validate', '-'],
  ['validate', '--', '-x.yaml'],
  ['validate', 'examples', '--format', 'json', '--format', 'json'],
  ['validate', 'examples', '--format=xml'],
  ['validate', 'examples', '--max-problems', '3'],
  ['validate', 'examples', '--no-color'],
  ['plan', 'examples/quickstart.yaml', '--emulate', '--quiet'],
  ['completion', 'bash'],
  ['completion', 'zsh'],
  ['-vq', 'validate', 'examples'],
])
  add(`line ${words.join(' ').replaceAll('/', '~')}`, words)

/** What differs from run to run, whatever the build. */
const unsettled = [
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, 'TIME'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: UTC)?/g, 'TIME'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
  [/sha256:[0-9a-f]{8,64}/g, 'sha256:DIGEST'],
  [/^\[\+\d\d:\d\d\]/gm, '[+TIME]'],
  [/\b[0-9a-f]{32}\b/g, 'ID'],
  [/^\{"type":"(?:stages-changed|site-said)".*\n/gm, ''],
  [/"(?:\w*Ms|lastUpdated|startTime|intent|nonce|pid|host)": ?(?:[\d.]+|"[^"]*")/g, '"VARIES"'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, 'N s'],
  [/\btime="[\d.]+"/g, 'time="N"'],
]
const settle = text =>
  unsettled.reduce(
    (settled, [pattern, word]) => settled.replace(pattern, word),
    text.replaceAll(folder, 'FOLDER'),
  )

const { CI, NODE_EXTRA_CA_CERTS, ...environment } = process.env
const env = {
  ...environment,
  NO_COLOR: '1',
  COLUMNS: '80',
  HOME: join(folder, 'home'),
  XDG_STATE_HOME: join(folder, 'home'),
}

async function freeze({ name, words, formats }, number) {
  const beside = formats.map(format => [format, join(folder, `out-${number}.${format}`)])
  const flags =
    formats.length === 0
      ? []
      : ['--format', 'text', ...beside.flatMap(([format, file]) => ['--format', `${format}=${file}`])]
  const { code, stdout, stderr } = await new Promise(settled => {
    const options = { cwd: folder, env, maxBuffer: 1e9, timeout: 120_000 }
    const child = execFile(
      process.execPath,
      [program, ...words, ...flags],
      options,
      (_error, stdout, stderr) => settled({ code: child.exitCode, stdout, stderr }),
    )
    child.stdin.end()
  })
  const written = beside.map(([format, file]) => {
    try {
      return `--- ${format}\n${readFileSync(file, 'utf8')}\n`
    } catch {
      return `--- ${format}: not written\n`
    }
  })
  const text = [`exit ${code}\n--- stdout\n${stdout}\n--- stderr\n${stderr}\n`, ...written].join('')
  writeFileSync(join(out, `${name || 'program'}.txt`), settle(text))
}

const waiting = runs.entries()
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const [number, run] of waiting) await freeze(run, number)
  }),
)
rmSync(folder, { recursive: true })
process.stdout.write(`${runs.length} runs in ${out}\n`)
