import type { CommandEntry, Declaration } from '../../src/cli/command.js'
import { readCommandLine } from '../../src/cli/command-line/read-command-line.js'
import { loadCommands, run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'
import { readLine } from '../support/read-line.js'

const commands = await loadCommands()

const options = {
  yes: { kind: 'flag', short: 'y', describe: '' },
  quiet: { kind: 'flag', short: 'q', describe: '' },
  url: { kind: 'text', value: 'URL', describe: '' },
  color: { kind: 'text', value: 'WHEN', choices: ['auto', 'always'], default: 'auto', describe: '' },
  format: { kind: 'list', value: 'FORMAT', default: 'text', describe: '' },
  origin: { kind: 'list', value: 'URL', describe: '' },
} as const satisfies Declaration['options']

const file = { name: 'file', describe: '' } as const

function parsed(line: string, words: Declaration['arguments'] = [file]) {
  const entry: CommandEntry = {
    name: 'try',
    describe: 'Try it',
    touches: 'nothing',
    arguments: words,
    options,
    examples: [],
    handle: () => Promise.reject(new Error('a handler was called')),
  }
  const table = { entries: [entry], groups: {}, version: '1.2.3' }
  const understood = readCommandLine(['try', ...line.split(' ').filter(Boolean)], table, {
    columns: 80,
    more: [],
  })
  if (!understood.ok) return understood.error
  return understood.value.kind === 'run' ? understood.value.argv : understood.value.text
}

test('options that are not given have their defaults', () => {
  expect(parsed('a.yaml')).toEqual({
    file: 'a.yaml',
    yes: false,
    quiet: false,
    url: undefined,
    color: 'auto',
    format: ['text'],
    origin: [],
  })
})

test.each([
  ['--url x a.yaml', { url: 'x', file: 'a.yaml' }],
  ['a.yaml --url=x=y', { url: 'x=y' }],
  ['a.yaml --url=-', { url: '-' }],
  ['a.yaml --url -', { url: '-' }],
  ['a.yaml -y', { yes: true }],
  ['a.yaml -yq', { yes: true, quiet: true }],
  ['--color always a.yaml', { color: 'always' }],
  ['a.yaml --format json --format=sarif=x', { format: ['json', 'sarif=x'] }],
  ['a.yaml --origin - --origin=q"', { origin: ['-', 'q"'] }],
  ['a.yaml --url "', { url: '"' }],
  [`a.yaml --url "x'`, { url: `"x'` }],
  ["a.yaml --url it's", { url: "it's" }],
  ['"a.yaml"', { file: '"a.yaml"' }],
  ['-- -h', { file: '-h' }],
  ['--format json a.yaml', { format: ['json'], file: 'a.yaml' }],
  ['a.yaml --url 007', { url: '007' }],
  ['-', { file: '-' }],
  ['-- --strange', { file: '--strange' }],
  ['-- -', { file: '-' }],
  ['help', { file: 'help' }],
  ['007', { file: '007' }],
  ['version', { file: 'version' }],
])('%s is parsed as intended', (line, expected) => {
  expect(parsed(line)).toMatchObject(expected)
})

test('positional arguments may be optional or repeated', () => {
  const files = { name: 'files', many: true, describe: '' } as const
  expect(parsed('a b --yes c', [files])).toMatchObject({ files: ['a', 'b', 'c'], yes: true })
  expect(parsed('a - -- -x --', [files])).toMatchObject({ files: ['a', '-', '-x', '--'] })
  expect(parsed('', [{ name: 'shell', optional: true, describe: '' }])).toMatchObject({ shell: undefined })
})

test.each([
  ['a.yaml --colour always', 'unknown option --colour; did you mean --color?'],
  ['a.yaml --nothing-like-it', 'unknown option --nothing-like-it'],
  ['a.yaml --no-color', 'unknown option --no-color; did you mean --color?'],
  ['a.yaml -z', 'unknown option -z'],
  ['a.yaml -yz', 'unknown option -z'],
  ['a.yaml --constructor', 'unknown option --constructor'],
  ['a.yaml --__proto__ x', 'unknown option --__proto__'],
  ['a.yaml --$0 q', 'unknown option --$0'],
  ['a.yaml --_ q', 'unknown option --_'],
  ['a.yaml --file b.yaml', 'unknown option --file; name the file without an option'],
  ['a.yaml --version', 'unknown option --version'],
  ['a.yaml --get-yargs-completions', 'unknown option --get-yargs-completions'],
  ['a.yaml --help=false', 'unknown option --help'],
  ['a.yaml --url.host x', 'unknown option --url.host'],
  ['a.yaml --url', '--url needs a value, URL'],
  ['a.yaml --url --yes', '--url needs a value, URL'],
  ['a.yaml --url -5', '--url needs a value, URL'],
  ['a.yaml --url=', '--url needs a value, URL'],
  ['a.yaml --format', '--format needs a value, FORMAT'],
  ['a.yaml --url "x"', 'the value of --url is wrapped in quotes; remove them'],
  ['a.yaml --url="x"', 'the value of --url is wrapped in quotes; remove them'],
  ["a.yaml --url 'x'", 'the value of --url is wrapped in quotes; remove them'],
  ['a.yaml --url \u201cx\u201d', 'the value of --url is wrapped in quotes; remove them'],
  ['a.yaml --origin x --origin ""', 'the value of --origin is wrapped in quotes; remove them'],
  ['a.yaml --color "auto"', 'the value of --color is wrapped in quotes; remove them'],
  ['a.yaml --yes=true', '--yes takes no value'],
  ['a.yaml --yes=maybe', '--yes takes no value'],
  ['a.yaml -y=3', '--yes takes no value'],
  ['a.yaml --url x --url y', '--url is given more than once'],
  ['a.yaml --yes --yes', '--yes is given more than once'],
  ['a.yaml -yqy', '--yes is given more than once'],
  ['a.yaml --color alway', '--color cannot be "alway"; did you mean always?'],
  ['a.yaml --color blue', '--color cannot be "blue"; use auto, always'],
  ['', 'name a manifest, such as site.yaml; `landform init` writes one'],
  ['a.yaml b.yaml', 'unexpected argument "b.yaml"'],
  ['a.yaml -- --yes', 'unexpected argument "--yes"'],
])('%s is rejected with a message', (line, message) => {
  expect(parsed(line)).toBe(message)
})

const refused = async (...words: readonly string[]) => {
  const host = fakeHost()
  const exitCode = await run(words, host)
  return { exitCode, out: host.out(), err: host.err() }
}

test.each([
  [[], 'name a command, such as validate, plan or apply'],
  [['--yes', 'apply'], 'name the command before --yes'],
  [['aply', 'site.yaml'], 'unknown command aply; did you mean apply?'],
  [['zzzz'], 'unknown command zzzz'],
  [['zzzz', '--help'], 'unknown command zzzz'],
  [['help', 'aply'], 'unknown command aply; did you mean apply?'],
  [['state', 'shwo', '-h'], 'unknown command state shwo; did you mean state show?'],
  [['--version', 'plan'], 'unexpected argument "plan"'],
  [['version', '--help'], 'unexpected argument "--help"'],
  [['up'], 'unknown command up; use apply'],
  [['diff', 'site.yaml'], 'unknown command diff; use plan'],
  [['delete'], 'unknown command delete; Landform never removes a site'],
  [['import'], 'unknown command import; use adopt'],
  [['fix', 'site.yaml'], 'unknown command fix; use validate --fix'],
  [['plan', '--state', 'file:none'], 'name a manifest: there is no site.yaml in this folder'],
  [['state'], 'name the whole command: state show or state unlock'],
  [['state', 'shwo', 'site.yaml'], 'unknown command state shwo; did you mean state show?'],
  [['state', '--yes', 'unlock'], 'name the whole command'],
  [['webhooks', 'delete'], 'unknown command webhooks delete; use webhooks delete-all'],
  [['webhooks', 'delete-all'], 'name the service'],
  [['validate'], 'name a manifest, such as site.yaml; `landform init` writes one'],
  [['plan', 'site.yaml', '--get-yargs-completions'], 'unknown option --get-yargs-completions'],
])('%j runs nothing and ends with 64', async (words, message) => {
  const { exitCode, out, err } = await refused(...words)
  expect([exitCode, out]).toEqual([64, ''])
  expect(err).toMatch(/^error: .*\nnext: landform .*--help\n$/)
  expect(err).toContain(message)
})

test.each([['--version'], ['-V'], ['version']])('%s prints the version', async word => {
  expect(await refused(word)).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
  })
})

test.each([
  [['help'], ['--help']],
  [['help', 'help'], ['--help']],
  [
    ['help', 'state'],
    ['state', '--help'],
  ],
  [
    ['help', 'plan'],
    ['plan', '--help'],
  ],
  [
    ['help', 'state', 'show'],
    ['state', 'show', '--help'],
  ],
  [
    ['plan', '-h'],
    ['plan', '--help'],
  ],
  [
    ['--help', 'plan', 'site.yaml'],
    ['plan', '--help'],
  ],
  [
    ['plan', '--nonsense', '--help'],
    ['plan', '--help'],
  ],
  [
    ['lint', '--help'],
    ['validate', '--help'],
  ],
])('%j prints the help of %j', async (words, same) => {
  const { exitCode, out, err } = await refused(...words)
  expect([exitCode, err]).toEqual([0, ''])
  expect(out).toBe((await refused(...same)).out)
  expect(out).toContain('landform')
})

test.each(['lint', 'check'])('%s is validate', alias => {
  const understood = readLine([alias, 'site.yaml', '--fix'])
  expect(understood).toMatchObject({ entry: { name: 'validate' }, argv: { files: ['site.yaml'], fix: true } })
})

test('every command of the table is parsed with its arguments without loading its handler', () => {
  for (const { name, arguments: declared } of commands) {
    const words = declared.map((_, at) => `word${at}`)
    const understood = readLine([...name.split(' '), ...words])
    expect(understood).toMatchObject({ kind: 'run', entry: { name } })
  }
})

test.each([
  ['plan -f site.yaml', 'unknown option -f; name the file without an option'],
  ['validate --filename site.yaml', 'unknown option --filename; name the file without an option'],
  ['apply site.yaml -auto-approve', 'unknown option -auto-approve; did you mean --yes?'],
  ['apply site.yaml --auto-approve', 'unknown option --auto-approve; did you mean --yes?'],
  ['plan site.yaml -out=plan.json', 'unknown option -out; did you mean --out?'],
  ['plan site.yaml -o plan.json', 'unknown option -o; did you mean --out?'],
])('%s is answered with the right option', async (line, message) => {
  const host = fakeHost()
  expect([await run(line.split(' '), host), host.err()]).toEqual([64, expect.stringContaining(message)])
})
