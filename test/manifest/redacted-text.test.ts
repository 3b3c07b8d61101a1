import fc from 'fast-check'
import { buildSkeleton, redactText } from '../../src/manifest/redacted-text.js'
import { cases } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { landform } from '../support/landform.js'
import { exampleTexts } from '../support/text-mutants.js'

const redacted = (text: string) => redactText(aSource(text)) ?? ''

/** The secret in every text below; it must never be in the result. */
const secret = 'hunter2'

describe('a literal secret is redacted', () => {
  test.each([
    ['plain', 'password: hunter2\nnext: 1\n'],
    ['in single quotes', "password: 'hunter2'\nnext: 1\n"],
    ['in double quotes', 'password: "hunter2"\nnext: 1\n'],
    [
      'far to the right in a comment after a value',
      `note: ${'x'.repeat(500)} # password: hunter2\nnext: 1\n`,
    ],
    ['far to the right in a comment', `note: x # ${'x'.repeat(500)} password: hunter2\nnext: 1\n`],
    ['in quotes over lines', 'password: "my\n  hunter2"\nnext: 1\n'],
    ['in a plain scalar over lines', 'password: my\n  hunter2\nnext: 1\n'],
    ['as a block', 'password: |\n  my\n  hunter2\nnext: 1\n'],
    ['as a folded block', 'password: >-\n  my\n\n  hunter2\nnext: 1\n'],
    ['in a flow map', '{ password: hunter2, next: 1 }\n'],
    ['in a flow map of JSON', '{"password":"hunter2", "x": "next: 1"}\n'],
    ['in a list', 'password: [x, hunter2]\nnext: 1\n'],
    ['in a block list', 'password:\n  - hunter2\nnext: 1\n'],
    ['with a tag', 'password: !secret hunter2\nnext: 1\n'],
    ['with an anchor', 'password: &p hunter2\nnext: 1\n'],
    ['with Windows line ends', 'password: hunter2\r\nnext: 1\r\n'],
    ['after a byte order mark', '\uFEFFpassword: hunter2\nnext: 1\n'],
    ['under a key in quotes', '"password": hunter2\nnext: 1\n'],
    ['as the name of a variable', 'password: { env: hunter2 }\nnext: 1\n'],
    ["as the name of another program's variable", 'password: { env: HUNTER2, value: hunter2 }\nnext: 1\n'],
    ['under a field that references do not have', 'password: { value: hunter2 }\nnext: 1\n'],
    ['as a field of its reference', 'password: { hunter2 }\nnext: 1\n'],
    ['as a field with a value', 'password:\n  hunter2: x\nnext: 1\n'],
    ['as a field of a credential', 'secret: { hunter2: x }\nnext: 1\n'],
    ['deep in a secret', 'secret: { a: { b: [hunter2] } }\nnext: 1\n'],
    ['under an unknown key', 'spec: { smtp: { password: hunter2 } }\nnext: 1\n'],
    ['under a misspelt key', 'pasword: hunter2\nnext: 1\n'],
    ['under a key with swapped letters', 'passwrod: hunter2\nnext: 1\n'],
    ['under a misspelt token', 'tokne: hunter2\nnext: 1\n'],
    ['under a misspelt answer', 'anwser: hunter2\nnext: 1\n'],
    ['under a misspelt cloud key', 'acessKey: hunter2\nnext: 1\n'],
    ['under a key in another naming style', 'ADMIN_PASSWORD: hunter2\nnext: 1\n'],
    ['under the name in the request', 'extra: { securityQuestionAns: hunter2 }\nnext: 1\n'],
    ['under the name of a key in the request', 'secret: { secret_key: hunter2 }\nnext: 1\n'],
    ['under a duplicate key', 'password: { env: LANDFORM_A }\npassword: hunter2\nnext: 1\n'],
    ['under a key that is not text', '1: { password: hunter2 }\nnext: 1\n'],
    ['under a merge key', '<<: { password: hunter2 }\nnext: 1\n'],
    ['under __proto__', '__proto__: { password: hunter2 }\nnext: 1\n'],
    ['below the deepest level', `a: ${'['.repeat(40)}{ password: hunter2 }${']'.repeat(40)}\nnext: 1\n`],
    ['through an alias', 'note: &p hunter2\npassword: *p\nnext: 1\n'],
    ['in a URL', 'url: https://someone:hunter2@gis.example.org\nnext: 1\n'],
    ['in the query of a URL', 'url: https://gis.example.org?token=hunter2\nnext: 1\n'],
  ])('%s', (_, text) => {
    const result = redactText(aSource(text))
    expect(text).toContain(secret)
    expect(result).toContain('next: 1')
    expect(result).not.toContain(secret)
    expect(result?.split('\n')).toHaveLength(text.split('\n').length)
  })

  test('in text that is not YAML, which is not shown at all', () => {
    expect(redactText(aSource('password: hunter2\n  a: ['))).toBeUndefined()
    expect(redactText(aSource(new Uint8Array([0xff, 0xfe])))).toBeUndefined()
  })
})

describe('text that is not secret', () => {
  test.each([
    ['a reference to a variable', 'password: { env: LANDFORM_ADMIN_PASSWORD }\n'],
    ['a reference to a file', 'token: { file: secrets/token }\n'],
    ['a reference in block style', 'answer:\n  env: LANDFORM_ANSWER\n'],
    ['the type of a credential', 'credential: { type: ACCESS-KEY }\n'],
    ['a misspelt field of a credential', 'secret: { secret_key: { env: LANDFORM_A } }\n'],
    ['the name of an account', 'credential: { secret: { storageAccountName: gis } }\n'],
    ['a field of the cluster called key', 'tolerations: [{ key: dedicated, operator: Exists }]\n'],
    ['a URL', 'url: https://gis.example.org/admin\n'],
    ['a name', 'username: siteadmin # a comment\n'],
    ['a key without a value', 'password:\nnext: 1\n'],
  ])('%s is kept', (_, text) => {
    expect(redacted(text)).toBe(text)
  })

  test('is kept next to hidden text on the same line', () => {
    expect(redacted('{ username: siteadmin, password: hunter2, email: a@example.org }\n')).toBe(
      '{ username: siteadmin, password: [hidden], email: a@example.org }\n',
    )
  })

  test('keeps its line below a secret of many lines', () => {
    const lines = redacted('password: |\n  a\n\n  b\nusername: siteadmin\n').split('\n')
    expect(lines[4]).toBe('username: siteadmin')
    expect(lines).toHaveLength(6)
  })
})

test('a secret in a line that was commented out is redacted, and the comment is kept', () => {
  const text = 'a: 1 # note\n# password: hunter2\n  # "access_key" = hunter2\nb: 2\n'
  const shown = redactText({ name: 'site.yaml', bytes: Buffer.from(text) })
  expect(shown).toBe('a: 1 # note\n# password: [hidden]\n  # "access_key" = [hidden]\nb: 2\n')
})

const skeleton = (text: string) => buildSkeleton(aSource(text))

describe('the skeleton of a text that is not YAML', () => {
  test.each([
    ['a field and its value', '  password: hunter2', '  password: …'],
    ['a field in quotes', '"password": hunter2', '"password": …'],
    ['a field without a value', 'administrator:  ', 'administrator:'],
    ['a name that manifests do not have', 'nothing: hunter2', 'nothing: …'],
    ['text', '  hunter2', '  …'],
    ['an entry of a list', '  - name: hunter2', '  - name: …'],
    ['numbers and sizes', '  QUEUE: { size: 16Gi, index: 13 }', '  QUEUE: { size: 16Gi, index: 13 }'],
    ['known values', 'profile: "development"', 'profile: "development"'],
    ['anchors and aliases', '  BLOB: &disk { name: *other', '  BLOB: &disk { name: *other'],
    ['a secret after other fields', '{ name: hunter2, token: *hunter2', '{ name: …      , token: …'],
    ['a comment after a value', 'size: 16Gi # hunter2', 'size: 16Gi…'],
    ['a comment', '# hunter2', '…'],
    ['braces', '{ password: hunter2 }', '{ password: …'],
    ['a name of the language', 'constructor: hunter2', 'constructor: …'],
    ['an empty line', '', ''],
  ])('shows the shape of %s', (_, line, expected) => {
    expect(skeleton(`${line}\nspec:`)).toBe(`${expected}\nspec:`)
  })

  test('hides all lines of a secret, up to the next field of the same level', () => {
    const text = '  password: |\n    123456\n  notes: 123456\n  email: 1\n'
    expect(skeleton(text)).toBe('  password: …\n    …\n  …\n  email: 1\n')
  })

  test('shows nothing of a file that is not text', () => {
    expect(buildSkeleton(aSource(new Uint8Array([0xff, 0xfe])))).toBeUndefined()
  })

  test('keeps every line, and no character of a value', () => {
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

test('an excerpt of an unreadable file shows where it is broken, and no values around it', async () => {
  const input = 'spec:\n  administrator:\n    password: hunter2\n  volumes: [\n    token: hunter3\n'
  const { exitCode, out } = await landform(['validate', '-'], { input })
  expect(exitCode).toBe(65)
  expect(out).toMatch(/^>? *\d \| +(?:password|token|volumes): …$/m)
  expect(out).not.toContain('hunter')
})
