import type { Argument, Options } from '../../src/cli/command.js'
import { parseArguments } from '../../src/cli/parse-arguments.js'

const options = {
  yes: { kind: 'flag', short: 'y', describe: '' },
  url: { kind: 'text', value: 'URL', describe: '' },
  color: { kind: 'text', value: 'WHEN', choices: ['auto', 'always'], default: 'auto', describe: '' },
  format: { kind: 'list', value: 'FORMAT', default: 'text', describe: '' },
  origin: { kind: 'list', value: 'URL', describe: '' },
} as const satisfies Options

const file: Argument = { name: 'file', describe: '' }
const parsed = (line: string, words: readonly Argument[] = [file]) =>
  parseArguments(line.split(' ').filter(Boolean), options, words)

test('what is not given has its default', () => {
  expect(parsed('a.yaml')).toEqual({
    file: 'a.yaml',
    yes: false,
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
  ['--color always a.yaml', { color: 'always' }],
  ['a.yaml --format json --format=sarif=x', { format: ['json', 'sarif=x'] }],
  ['-', { file: '-' }],
  ['-- --strange', { file: '--strange' }],
])('%s is read as people mean it', (line, expected) => {
  expect(parsed(line)).toMatchObject(expected)
})

test('words that may be several, or be absent, are so', () => {
  const files: Argument = { name: 'files', many: true, describe: '' }
  expect(parsed('a b --yes c', [files])).toMatchObject({ files: ['a', 'b', 'c'], yes: true })
  expect(parsed('', [{ name: 'shell', optional: true, describe: '' }])).toMatchObject({ shell: undefined })
})

test.each([
  ['a.yaml --colour always', 'there is no option --colour here; did you mean --color?'],
  ['a.yaml --nothing-like-it', 'there is no option --nothing-like-it here'],
  ['a.yaml --no-color', 'there is no option --no-color here; did you mean --color?'],
  ['a.yaml -z', 'there is no option -z here'],
  ['a.yaml --constructor', 'there is no option --constructor here'],
  ['a.yaml --__proto__ x', 'there is no option --__proto__ here'],
  ['a.yaml --url', '--url needs a value, URL'],
  ['a.yaml --url --yes', '--url needs a value, URL'],
  ['a.yaml --url=', '--url needs a value, URL'],
  ['a.yaml --yes=true', '--yes takes no value'],
  ['a.yaml --url x --url y', '--url is given more than once'],
  ['a.yaml --yes --yes', '--yes is given more than once'],
  ['a.yaml --color alway', '--color cannot be "alway"; did you mean always?'],
  ['a.yaml --color blue', '--color cannot be "blue"; use auto, always'],
  ['', 'name a manifest, such as site.yaml'],
  ['a.yaml b.yaml', 'there is no place for "b.yaml" here'],
])('%s is refused in words', (line, message) => {
  expect(() => parsed(line)).toThrow(message)
})
