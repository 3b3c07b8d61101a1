import fc from 'fast-check'
import { buildSkeleton } from '../../src/manifest/redacted-text.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { landform } from '../support/landform.js'
import { exampleTexts } from '../support/text-mutants.js'

const skeleton = (text: string) => buildSkeleton(aSource(text))

describe('the skeleton of a text that is no YAML', () => {
  test.each([
    ['a field and its value', '  password: hunter2', '  password: …'],
    ['a field in quotes', '"password": hunter2', '"password": …'],
    ['a field without a value', 'administrator:  ', 'administrator:'],
    ['a name that no manifest has', 'nothing: hunter2', 'nothing: …'],
    ['text', '  hunter2', '  …'],
    ['an entry of a list', '  - name: hunter2', '  - name: …'],
    ['numbers and sizes', '  QUEUE: { size: 16Gi, index: 13 }', '  QUEUE: { size: 16Gi, index: 13 }'],
    ['known values', 'profile: "development"', 'profile: "development"'],
    ['anchors and aliases', '  BLOB: &disk { name: *other', '  BLOB: &disk { name: *other'],
    ['a secret after other fields', '{ name: hunter2, token: *hunter2', '{ name: …      , token: …'],
    ['a comment behind a value', 'size: 16Gi # hunter2', 'size: 16Gi…'],
    ['a comment', '# hunter2', '…'],
    ['braces', '{ password: hunter2 }', '{ password: …'],
    ['a name of the language', 'constructor: hunter2', 'constructor: …'],
    ['an empty line', '', ''],
  ])('shows of %s its shape', (_, line, expected) => {
    expect(skeleton(`${line}\nspec:`)).toBe(`${expected}\nspec:`)
  })

  test('hides all lines of a secret, up to the next field beside it', () => {
    const text = '  password: |\n    123456\n  notes: 123456\n  email: 1\n'
    expect(skeleton(text)).toBe('  password: …\n    …\n  …\n  email: 1\n')
  })

  test('shows nothing of a file that is no text', () => {
    expect(buildSkeleton(aSource(new Uint8Array([0xff, 0xfe])))).toBeUndefined()
  })

  test('keeps every line, and has no character of a value', () => {
    const hidden = fc.stringMatching(/^[QXZ]{3,9}[!-~]{0,5}$/)
    const property = fc.property(fc.constantFrom(...exampleTexts), fc.nat(), hidden, (text, at, value) => {
      const lines = text.split('\n')
      const place = at % lines.length
      const put = lines.map((line, index) => (index === place ? line.replace(/:.*$|$/, `: ${value}`) : line))
      const shown = skeleton(put.join('\n')) ?? ''
      expect(shown.split('\n')).toHaveLength(lines.length)
      expect(shown).not.toContain(value.slice(0, 3))
    })
    fc.assert(property, { numRuns: cases(25) })
  })
})

test('a frame of what cannot be read shows where it is broken, and no value around it', async () => {
  const input = 'spec:\n  administrator:\n    password: hunter2\n  volumes: [\n    token: hunter3\n'
  const { exitCode, out } = await landform(['validate', '-'], { input })
  expect(exitCode).toBe(65)
  expect(out).toMatch(/^>? *\d \| +(?:password|token|volumes): …$/m)
  expect(out).not.toContain('hunter')
})
