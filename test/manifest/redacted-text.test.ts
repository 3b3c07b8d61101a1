import { redactText } from '../../src/manifest/redacted-text.js'
import { aSource } from '../support/changed-manifest.js'

const redacted = (text: string) => redactText(aSource(text)) ?? ''

describe('a literal secret does not survive', () => {
  test('in text that is not YAML, of which nothing is shown', () => {
    expect(redactText(aSource('password: hunter2\n  a: ['))).toBeUndefined()
    expect(redactText(aSource(new Uint8Array([0xff, 0xfe])))).toBeUndefined()
  })
})

describe('what is no secret', () => {
  test.each([
    ['a reference to a variable', 'password: { env: LANDFORM_ADMIN_PASSWORD }\n'],
    ['a reference to a file', 'token: { file: secrets/token }\n'],
    ['a reference in block style', 'answer:\n  env: LANDFORM_ANSWER\n'],
    ['the type of a credential', 'credential: { type: ACCESS-KEY }\n'],
    ['a misspelt field of a credential', 'secret: { secret_key: { env: LANDFORM_A } }\n'],
    ['the name of an account', 'credential: { secret: { storageAccountName: gis } }\n'],
    ['a field of the cluster called key', 'tolerations: [{ key: dedicated, operator: Exists }]\n'],
    ['an address', 'url: https://gis.example.org/admin\n'],
    ['a name', 'username: siteadmin # a comment\n'],
    ['a key without a value', 'password:\nnext: 1\n'],
  ])('%s stays', (_, text) => {
    expect(redacted(text)).toBe(text)
  })

  test('stays beside what is hidden, on the same line', () => {
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

test('a secret in a line that was commented out is blotted out, and the comment stays', () => {
  const text = 'a: 1 # note\n# password: hunter2\n  # "access_key" = hunter2\nb: 2\n'
  const shown = redactText({ name: 'site.yaml', bytes: Buffer.from(text) })
  expect(shown).toBe('a: 1 # note\n# password: [hidden]\n  # "access_key" = [hidden]\nb: 2\n')
})
