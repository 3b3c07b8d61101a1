// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are forms of other tools
import { run } from '../../src/cli/run.js'
import { findUnfilledForm } from '../../src/secrets/unfilled.js'
import { answeringSite, json } from '../support/answering-site.js'
import { exampleCopy } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { stopRawServers } from '../support/raw-server.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'

afterEach(async () => {
  await stopRawServers()
  await removeTemporaryFolders()
})

const formOf = (text: string, isToken = false) => findUnfilledForm(Buffer.from(text), { isToken })

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
]

test.each(unfilled)('%j is no secret', async text => {
  expect(formOf(text)).toBeDefined()
  const site = await answeringSite(json({}), json({}, 404))
  const file = await exampleCopy('quickstart')
  const host = fakeHost({ environment: { ...someSecrets, LANDFORM_ADMIN_PASSWORD: text } })
  expect(await run(['validate', file, '--check-secrets'], host)).not.toBe(0)
  const status = { state: 'not_configured', warnings: [], stages: [] }
  const empty = await answeringSite(json({}), json({ fullVersion: '11.2.0', resources: ['orgs'], status }))
  expect(await run(['apply', file, '--yes', '--url', empty.url], host)).toBe(65)
  expect([site.posts(), empty.posts()]).toEqual([[], []])
  expect(host.screen()).toContain('LANDFORM_ADMIN_PASSWORD')
  expect(host.screen()).not.toContain(text.split('\n').at(-1))
})

test.each(['null', 'undefined', 'Bearer abc', '{"token": "abc"}', 'add_token_here'])(
  '%j is no token',
  text => {
    expect(formOf(text, true)).toBeDefined()
  },
)

test.each([
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
