import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeExample } from '../support/example-copy.js'
import { answeringSite, json } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const root = json({ fullVersion: '11.2.0', resources: ['orgs'], status: { state: 'not_configured' } })
const secret = someSecrets.LANDFORM_ADMIN_PASSWORD
const why = 'License expired on 2024-01-01'

/** Applies once to a site that responds to `configure` with this body, and returns every text with the message. */
async function refusedBy(body: unknown, status = 200) {
  const folder = await temporaryFolder()
  const file = writeExample(folder)
  const [events, report] = [join(folder, 'events.ndjson'), join(folder, 'receipt.json')]
  const { url } = await answeringSite(json(body, status), root)
  const words = [
    'apply',
    file,
    '--yes',
    '--url',
    url,
    '--events',
    events,
    '--format',
    'text',
    '--format',
    `json=${report}`,
  ]
  const { exitCode, err } = await landform(words, { environment: someSecrets })
  const state = filesBelow(join(folder, '.landform'))
    .map(one => readFileSync(one, 'utf8'))
    .join('\n')
  const [told, receipt] = [events, report].map(one => readFileSync(one, 'utf8')) as [string, string]
  expect(listSchemaErrors('receipt', JSON.parse(receipt))).toEqual([])
  return { exitCode, places: { err, told, receipt, state } }
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

test.each<[string, unknown, number]>([
  ['details next to a message', { error: { code: 400, message: 'Bad license.', details: [why] } }, 5],
  ['a statusMessage', { status: 'failed', statusMessage: why }, 5],
  ['details with the code of a gateway', { error: { code: 503, message: 'No.', details: [why] } }, 4],
])('%s are in the text, the events, the receipt and the state', async (_name, body, exitCode) => {
  const refused = await refusedBy(body)
  expect(refused.exitCode).toBe(exitCode)
  for (const [place, text] of Object.entries(refused.places))
    expect([place, text]).toEqual([place, expect.stringContaining(why)])
})

test('an error body of another product is not a rejection: nothing is sent again', async () => {
  const body = { error: { code: 403, message: 'No.', status: 'PERMISSION_DENIED' } }
  const file = writeExample(await temporaryFolder())
  const site = await answeringSite(json(body), root)
  const sent = () => site.posts().filter(({ path }) => path.endsWith('/configure')).length
  const words = ['apply', file, '--yes', '--url', site.url, '--timeout', '1s', '--no-license-check']
  for (const more of [[], ['--resubmit-after-rejection']]) {
    const { exitCode } = await landform([...words, ...more], { environment: someSecrets })
    expect([exitCode, sent()]).toEqual([4, 1])
  }
})

test.each<[string, unknown]>([
  ['the details', { error: { code: 400, message: 'No.', details: ['why', `not ${secret}`] } }],
  ['the statusMessage', { status: 'failed', statusMessage: `not ${secret}` }],
])('a secret in %s is redacted in all of them', async (_name, body) => {
  const { places } = await refusedBy(body)
  for (const [place, text] of Object.entries(places)) {
    expect([place, text]).toEqual([place, expect.stringContaining('not ***')])
    expect([place, text]).toEqual([place, expect.not.stringContaining(secret)])
  }
})
