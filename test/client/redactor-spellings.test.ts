import { redactorFor } from '../../src/client/redact/redactor.js'
import { Secret } from '../../src/secrets/secret.js'
import { spellingNames, spellings } from '../support/spellings.js'

const password = 'Zürich-9+Wq"7h&k2<Lm'
const token = 'A7f_k2-Pq.Vx9Zt4Lm0RsYw3'
/** By a redactor of its own, for one remembers what it redacted. */
const redact = (said: string) =>
  redactorFor([password, token].map(text => new Secret(Buffer.from(text))))(said)

/** No six characters of a secret in a row may be left, as they are or in the very spelling. */
function leftOf(secret: string, text: string, spell: (body: Buffer) => string): readonly string[] {
  const parts = [...secret]
    .map((_, at) => [...secret].slice(at, at + 8).join(''))
    .filter(one => [...one].length === 8)
  return parts.filter(part => text.includes(part) || text.includes(spell(Buffer.from(part))))
}

test.each(spellingNames)('no part of a secret is left where a site repeats it %s', name => {
  const spell: (body: Buffer) => string = spellings[name]
  for (const secret of [password, token]) {
    const body = Buffer.from(`username=siteadmin&password=${secret}&email=admin@example.org`)
    for (const said of [spell(Buffer.from(secret)), spell(body)]) {
      const shown = redact(`administrator refused: ${said} is wrong`)
      expect([shown, leftOf(secret, shown, spell)]).toEqual([expect.stringContaining('***'), []])
    }
  }
})

test('every spelling changes what it repeats, so that none is counted twice', () => {
  const body = Buffer.from(`x>> ${password} ${'é?> and more of it '.repeat(8)}`)
  const said = spellingNames.map(name => spellings[name](body))
  expect(said.map((one, at) => (said.indexOf(one) === at ? '' : spellingNames[at])).filter(Boolean)).toEqual(
    [],
  )
  expect(spellingNames.length).toBeGreaterThanOrEqual(44)
})

const ordinary = (said: string) =>
  redactorFor(
    ['password1', 'Administrator-2024', 'organization', 'siteadmin1', 'Springfield'].map(
      text => new Secret(Buffer.from(text)),
    ),
    { known: ['siteadmin'] },
  )(said)

test.each([
  [
    'the password is too short: 8 characters are needed',
    'the password is too short: 8 characters are needed',
  ],
  ['Administrator role required for siteadmin', 'Administrator role required for siteadmin'],
  ['Creating a new organization', 'Creating a new ***'],
  ['password1 is known', '*** is known'],
  ['PASSWORD1 is known', '*** is known'],
  ['password 1 is known', '*** is known'],
  ['the admin siteadmin1 of Spring Fields', 'the admin *** of ***s'],
  ['six letters of it are too many: spring', 'six letters of it are too many: ***'],
  ['five are not: sprin, field', 'five are not: sprin, field'],
])('words that everyone knows stay, and a secret made of them does not: %s', (text, rest) => {
  expect(ordinary(text)).toBe(rest)
})

test('of a license ordinary words stay, and half of it is none', () => {
  const license = `ArcGIS Enterprise on Kubernetes\n${'Feature: 3D Analyst, 11.2, 4711\n'.repeat(40)}`
  const redactLicense = redactorFor([], { licenses: [new Secret(Buffer.from(license))] })
  const message = 'ArcGIS Enterprise needs the feature 3D Analyst'
  expect(redactLicense(message)).toBe(message)
  expect(redactLicense(`no: ${license.slice(300, 350)}`)).toBe('***')
})

test('of a very long text the end is dropped, and with it what nobody looks at', () => {
  expect(redact(`${'a b '.repeat(40_000)}${token}`)).toHaveLength(65_536)
})
