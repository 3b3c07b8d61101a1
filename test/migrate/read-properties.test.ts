import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { yamlLimits } from '../../src/manifest/yaml-limits.js'
import { type Property, readProperties } from '../../src/migrate/read-properties.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { runsHere } from '../support/program.js'

const read = (text: string) => readProperties(aSource(text))
const values = (properties: readonly Property[]) => properties.map(({ name, value }) => [name, value])

test.each([
  ['a bare word', 'A=word', 'word'],
  ['nothing', 'A=', ''],
  ['nothing in quotes', 'A=""', ''],
  ['double quotes', 'A="two words"', 'two words'],
  ['single quotes, without escapes', `A='$x \\ "'`, '$x \\ "'],
  ['escapes in double quotes', 'A="\\$x \\" \\\\ \\n"', '$x " \\ \\n'],
  ['adjacent parts', `A=a'b c'"d"`, 'ab cd'],
  ['a comment after it', 'A="x"  # why', 'x'],
  ['a number sign in it', 'A=x#y', 'x#y'],
  ['an equals sign in it', 'A="arcgis/tier=storage"', 'arcgis/tier=storage'],
  ['a Windows line end', 'A="x"\r\nB=y\r\n', 'x'],
  ['an export', 'export A=x', 'x'],
  ['a byte order mark', '\uFEFFA=x', 'x'],
  ['a default of its own name', 'A="$' + '{A:-two words}"', 'two words'],
  ['such a default without quotes, with text around it', 'A=a$' + '{A-b}$' + '{A:=c}d', 'abcd'],
  ['such a default in single quotes, unchanged', "A='$" + "{A:-x}'", '$' + '{A:-x}'],
  ['an empty default', 'A="$' + '{A:-}"', ''],
  ['an escaped dollar sign before such a text', 'A="\\$' + '{A:-x}"', '$' + '{A:-x}'],
])('reads %s', (_, text, value) => {
  const { properties, diagnostics } = read(text)
  expect(diagnostics).toEqual([])
  expect(properties[0]?.value).toBe(value)
})

test('rejects a file that is too large', () => {
  const most = yamlLimits.bytes - 'A=x\n'.length
  expect(read(`#${' '.repeat(most - 2)}\nA=x\n`).properties).toHaveLength(1)
  const { properties, diagnostics } = read(`A=x\n#${' '.repeat(most)}`)
  expect([properties, diagnostics.map(({ code }) => code)]).toEqual([[], ['yaml/too-large']])
})

test.each([
  ['A=~/x'],
  ['A="$HOME"'],
  ['A=$' + '{HOME:-x}'],
  ['A=$' + '{A:?x}'],
  ['A=$' + '{A:-$HOME}'],
  ['A=$' + '{A:+x}'],
  ['A="`id`"'],
  ['A="$(id)"'],
])('has no value for %s, which only a shell can expand', text => {
  const { properties, diagnostics } = read(text)
  expect([values(properties), diagnostics]).toEqual([[['A', undefined]], []])
})

test.each([
  ['a command', 'rm -rf /'],
  ['a command after a value', 'A=x; id'],
  ['an environment for a command', 'A=x id'],
  ['an export of several variables', 'export A=x B=y'],
  ['an export of a variable without a value', 'export A'],
  ['an unclosed quote', 'A="x'],
  ['a backslash at the end', 'A=x\\'],
  ['a space before the equals sign', 'A =x'],
  ['a list', 'A=(x y)'],
  ['an arithmetic expression', 'A+=x'],
])('rejects %s', (_, text) => {
  const { properties, diagnostics } = read(text)
  expect(properties).toEqual([])
  expect(diagnostics.map(({ code, place }) => [code, place?.start.line])).toEqual([['properties/syntax', 1]])
})

test('uses the last of two properties with the same name, and reports the first', () => {
  const { properties, diagnostics } = read('A=x\nB=y\nA=z\n')
  expect(values(properties)).toEqual([
    ['A', 'z'],
    ['B', 'y'],
  ])
  expect(diagnostics.map(({ code, place }) => [code, place?.start.line])).toEqual([
    ['properties/repeated', 1],
  ])
})

test('has the position of each property', () => {
  const [, property] = read('# one\n\nA=x\n  B="y z" # why\n').properties
  expect(property?.place).toEqual({
    file: 'site.yaml',
    start: { line: 4, column: 3 },
    end: { line: 4, column: 10 },
  })
})

const hasShell = await runsHere(['sh', '-c', 'true'])

;(hasShell ? test : test.skip)('reads every value as a shell does', () => {
  const text = fc.string({ unit: fc.constantFrom(...`ab"'\\ #$=:/,.-é\`;&()<>|~*?[]{}!%`), maxLength: 12 })
  const lines = fc.sample(text, { numRuns: cases(150), seed: 7 }).flatMap((value, index) => [
    `V${index}=${value}`,
    // As the default of its own name, with and without quotes.
    `W${index}="$` + `{W${index}:-${value}}"`,
    `X${index}=$` + `{X${index}:=${value}}`,
  ])
  const known = lines.flatMap(line => {
    const [property] = read(line).properties
    return property?.value === undefined ? [] : [{ line, value: property.value }]
  })
  expect(known.length).toBeGreaterThan(lines.length / 10)
  const script = known.map(({ line }) => `${line}\nprintf '%s\\0' "$${line.split('=')[0]}"`).join('\n')
  // As input, because an argument is limited to 128 KB.
  const said = execFileSync('sh', { encoding: 'utf8', env: { HOME: '/home/somebody' }, input: script })
  expect(said.split('\0').slice(0, -1)).toEqual(known.map(({ value }) => value))
})
