import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { landformProgram } from '../support/landform-program.js'
import { anUpgradeConfig, configureValues } from './service/builders.js'

/** Twelve secrets, one for each way in which a secret reaches the service, correctly or by mistake. */
const canaries = Array.from({ length: 12 }, (_, index) => `Canary+${index}/ä"${'pqrstuvwxyzk'[index]}=7 &<b>`)
const [
  password = '',
  answer = '',
  license = '',
  serverLicense = '',
  accessKey = '',
  secretKey = '',
  token = '',
  accountKey = '',
  signature = '',
  misplaced = '',
  inAddress = '',
  inPath = '',
] = canaries

/** The forms, whole or in part, in which a log, a document or a page could show a secret. */
function encodings(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    escaped.replaceAll('ä', '\\u00e4'),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('latin1'),
    [...Buffer.from(secret)].join(','),
    secret.slice(0, 8),
    secret.slice(-11),
  ]
}

const cloudConfig = JSON.stringify([
  {
    name: 'AWS',
    credential: { type: 'ACCESS-KEY', secret: { secret_key: secretKey, access_key: accessKey } },
    cloudServices: [
      {
        name: 'AWS S3',
        type: 'objectStore',
        usage: 'DEFAULT',
        category: 'storage',
        connection: { bucket_name: 'b' },
      },
    ],
  },
])

function configureForm(more: Readonly<Record<string, string | File>> = {}): FormData {
  const form = new FormData()
  const values = {
    ...configureValues(),
    password,
    securityQuestionAns: answer,
    licenseFile: new File([license], 'license.json'),
    serverLicenseFile: new File([serverLicense], 'server.ecp'),
    cloudConfig,
    ...more,
  }
  for (const [name, value] of Object.entries(values))
    form.append(name, value instanceof Uint8Array ? new File([value], 'x') : value)
  return form
}

test('no secret, in any encoding, is in what the emulator stores, shows or prints', async () => {
  const child = spawn(process.execPath, [landformProgram, 'emulate', '--stage-time', '0ms'])
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => printed.push(String(chunk)))
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { origin } = new URL(url)
  const post = async (path: string, body: FormData | URLSearchParams | string, headers = {}) =>
    (await fetch(url + path, { method: 'POST', body, headers })).text()
  const form = (values: Record<string, string>) => new URLSearchParams(values)

  await post('/configure', configureForm({ [misplaced]: misplaced }))
  await post('/configure', configureForm({ password: 'x', extra: misplaced }))
  await post('/configure', configureForm({ cloudConfig: cloudConfig.slice(0, -1) }))
  await post('/configure', configureForm())
  await post('/configure', password, { 'content-type': 'application/x-www-form-urlencoded' })
  await post('/configure', password, { 'content-type': `text/${encodeURIComponent(password)}` })
  await post(`/configure?token=${encodeURIComponent(inAddress)}`, form({}))
  await post(`/system/upgrades/config/update?${encodeURIComponent(inAddress)}`, form({ token }))
  await post(
    '/system/upgrades/config/update',
    form({ token, upgradeConfig: JSON.stringify(anUpgradeConfig()) }),
  )
  await post(
    '/system/upgrades/config/update',
    form({ token, upgradeConfig: JSON.stringify({ [token]: token }).slice(1) }),
  )
  await post(`/services/${encodeURIComponent(inPath)}/webhooks/deleteAll`, form({ token }))
  await post(`/${encodeURIComponent(inPath)}`, form({ token }))
  const connection = JSON.stringify({ accountName: 'a', accountKey, accountEndpoint: 'e' })
  const container = `https://a.example/c?sig=${encodeURIComponent(signature)}`
  const target = { location: '/b', backupObjectStore: container }
  await post('/exportSite', form({ ...target, backupObjectStoreConnectionStr: connection }))
  await post('/exportSite', form({ ...target, backupObjectStoreConnectionStr: accountKey }))
  await (await fetch(`${url}?f=${encodeURIComponent(inAddress)}`)).text()
  const last = 15

  const shown = await Promise.all(
    ['', 'state.json'].map(async name => (await fetch(`${origin}/_emulator/${name}`)).text()),
  )
  child.kill()
  await once(child, 'close')

  const { requests } = JSON.parse(shown[1] ?? '').selected
  expect(requests).toHaveLength(last)
  expect(requests.filter(({ accepted }: { accepted: boolean }) => accepted).length).toBeGreaterThan(2)
  const all = [...shown, ...printed].join('\n')
  const found = canaries.flatMap(canary => encodings(canary).filter(text => all.includes(text)))
  expect(found).toEqual([])
})
