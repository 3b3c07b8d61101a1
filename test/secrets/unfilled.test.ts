// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are forms of other tools
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { run } from '../../src/cli/run.js'
import { findUnfilledForm } from '../../src/secrets/unfilled.js'
import { cases } from '../support/cases.js'
import { exampleCopy } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { answeringSite, json } from '../support/http-double.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'

afterEach(async () => {
  await removeTemporaryFolders()
})

const formOf = (text: string, isToken = false) => findUnfilledForm(Buffer.from(text), { isToken })

const readLines = (name: string) =>
  readFileSync(join(root, 'test/field-cases', name), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('//'))

const unfilled: readonly string[] = [
  '$(adminPassword1)',
  '${{ secrets.ADMIN1 }}',
  '{{ password1 }}',
  '${X1}',
  '${X1:-default}',
  '#{Password1}#',
  '#{Password1}',
  '@@PASSWORD1@@',
  '%PASSWORD1%',
  '__PASSWORD1__',
  '<password1>',
  'op://gis/production/password1',
  'U2FsdGVkX1abcdefg1234',
  'ENC[AES256_GCM,data:abc1,type:str]',
  '$ANSIBLE_VAULT;1.1;AES256\n6162',
  '-----BEGIN AGE ENCRYPTED FILE-----\nYWdl1',
  '-----BEGIN PGP MESSAGE-----\n\nhQ1',
  'CHANGE-ME',
  ...readLines('07-secret-references.txt'),
]

test.each(unfilled)('%j is not a secret', async text => {
  expect(formOf(text)).toBeDefined()
  const site = await answeringSite(json({}), json({}, 404))
  const file = await exampleCopy('quickstart')
  const host = fakeHost({
    environment: { ...someSecrets, LANDFORM_ADMIN_PASSWORD: text, LANDFORM_SECURITY_ANSWER: text },
  })
  expect(await run(['validate', file, '--check-secrets'], host)).not.toBe(0)
  const status = { state: 'not_configured', warnings: [], stages: [] }
  const empty = await answeringSite(json({}), json({ fullVersion: '11.2.0', resources: ['orgs'], status }))
  expect(await run(['apply', file, '--yes', '--url', empty.url], host)).toBe(65)
  expect([site.posts(), empty.posts()]).toEqual([[], []])
  expect(host.screen()).toContain('LANDFORM_ADMIN_PASSWORD')
  expect(host.screen()).not.toContain(text.split('\n').at(-1))
})

test.each(['null', 'undefined', 'Bearer abc', '{"token": "abc"}', 'add_token_here'])(
  '%j is not a token',
  text => {
    expect(formOf(text, true)).toBeDefined()
  },
)

test.each([
  ['ssm:/gis/prod/password', 'reference'],
  ['gcp:secretmanager:projects/1/secrets/gis', 'reference'],
  ['/subscriptions/1/resourceGroups/gis', 'reference'],
  ['https://kv.example.org/secrets/gis', 'reference'],
  ['secrets.GIS_PASSWORD', 'reference'],
  ['!vault |', 'reference'],
  ['[[ password1 ]]', 'template'],
  ['((password1))', 'template'],
  ['$(vault kv get -field=password1 secret/gis)', 'variable'],
  ['$GIS_PASSWORD', 'variable'],
  ['your-password-here1', 'placeholder'],
  ['ChangeMe123', 'placeholder'],
  ['TODO', 'placeholder'],
  ['***', 'placeholder'],
  ['["Abc12345!"]', 'wrapped'],
  ['"Abc12345!"', 'wrapped'],
  ['export GIS_ADMIN=Abc12345!', 'wrapped'],
  ['password=Abc12345!', 'wrapped'],
  ['Abc12345!\\n', 'wrapped'],
  ['/run/secrets/admin-password1', 'path'],
  ['secrets/password1', 'path'],
  ['C:\\gis\\password1', 'path'],
  ['admin1.txt', 'path'],
  ['%!s(<nil>)', 'printed'],
  ['Error from server (NotFound): secrets "gis1" not found', 'printed'],
  ['{cipher}abc1', 'encrypted'],
  ['ENC(abc1)', 'encrypted'],
])('%s is recognized: %s', (text, form) => {
  expect(formOf(text)).toBe(form)
})

test('the name of the variable that contains the value is not a secret, even with a digit after it', () => {
  const found = (text: string) => findUnfilledForm(Buffer.from(text), { isToken: false, variable: 'GIS' })
  expect(['GIS', 'GIS1', 'GISx'].map(found)).toEqual(['variable-name', 'variable-name', undefined])
})

test.each([
  ...readLines('07-not-placeholders.txt'),
  'a<b>c%1%',
  'Correct-horse-1',
  '$ecret1234',
  '%a b1%',
  '<a b 1>',
  '__a b1__',
  'U2Fsd1234',
  'Bearer-1234',
  '{braces}1a',
  '$(a b) 1',
  '100%',
  'nullable1',
])('%j may be a password', text => {
  expect(formOf(text)).toBeUndefined()
})

/** Of 200 passwords and keys of each kind, generated as password managers and clouds do, none may be rejected. */
test.each([
  ['letters and digits', 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789', 20],
  [
    'symbols that shells and forms accept',
    'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!#%&*+-.:=?@_~',
    16,
  ],
  ['Base64', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 40],
  ['base64url', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 40],
  ['hexadecimal digits', '0123456789abcdef', 32],
])('secrets of %s are accepted', (_, alphabet, length) => {
  const password = fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
  fc.assert(
    fc.property(password, characters => {
      expect(formOf(characters.join(''))).toBeUndefined()
    }),
    { numRuns: cases(200) },
  )
})

test('passphrases are accepted', () => {
  const words = [
    'correct',
    'horse',
    'battery',
    'Sunflower',
    'key',
    'secret',
    'garden',
    'token',
    'Paris',
    'password',
  ]
  const passphrase = fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 5 })
  fc.assert(
    fc.property(passphrase, fc.constantFrom('-', '_', ' ', '.'), (parts, between) => {
      expect(formOf(`${parts.join(between)}${between}42`)).toBeUndefined()
    }),
    { numRuns: cases(200) },
  )
})

test('no value takes long to check', () => {
  for (const piece of ['a-', 'a/', 'A_', '[[', 'a:', '"a', 'password-', 'your-', 'map[', '$(a '])
    expect(formOf(piece.repeat(200_000)) ?? 'wrapped').toEqual(expect.any(String))
})
