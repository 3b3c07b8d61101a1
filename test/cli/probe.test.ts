import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import type { ServedRequest } from '../../src/emulator/server.js'
import type { Evidence } from '../../src/evidence/evidence.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { anEmulator } from '../support/emulator.js'
import { fakeHost } from '../support/fake-host.js'
import { http, httpDouble, type Reply } from '../support/http-double.js'
import { root, withoutState } from '../support/manifests.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const token = 'canary-token-0123456789'
const environment = { LANDFORM_TOKEN: token }

async function anInspectedSite(options: EmulatorOptions) {
  const served: ServedRequest[] = []
  const emulator = await anEmulator({ ...options, inspect: request => void served.push(request) })
  return { url: emulator.url, methods: () => served.map(({ received }) => received.request.method) }
}

async function probe(url: string, ...words: readonly string[]) {
  const out = join(await temporaryFolder(), 'evidence.json')
  const host = fakeHost({ environment })
  const exitCode = await run(['probe', '--url', url, '--out', out, ...words], host)
  const text = existsSync(out) ? readFileSync(out, 'utf8') : undefined
  const evidence = text === undefined ? undefined : (JSON.parse(text) as Evidence)
  return { exitCode, out, text, evidence, screen: host.screen(), err: host.err().replaceAll(/\s+/g, ' ') }
}

const withToken = ['--token', 'env:LANDFORM_TOKEN']

/** The observed evidence, without what changes between runs. */
const observed = (evidence: Evidence | undefined) =>
  evidence?.observations.map(({ milliseconds, ...rest }) => {
    expect(milliseconds).toBeGreaterThanOrEqual(0)
    return rest
  })

test.each([
  ['document', 'new', [], {}],
  ['document', 'configured', ['ready', 'ready'], { configured: true }],
  ['field', 'new', ['not_configured', 'not_configured'], {}],
  ['field', 'configured', ['ready'], { configured: true }],
  ['field', 'at 12.0', ['ready'], { configured: true, version: '12.0' }],
] as const)(
  'a probe of the emulator with %s fidelity, %s, observes every resource and the states %j',
  async (fidelity, _how, states, options) => {
    const site = await anInspectedSite({ ...options, fidelity, token })
    const first = await probe(site.url, ...withToken)
    expect(first.exitCode).toBe(exitCodes.done)
    expect(new Set(site.methods())).toEqual(new Set(['GET']))
    expect(observed(first.evidence)?.length).toBeGreaterThan(15)
    if (fidelity === 'field' && 'configured' in options) {
      expect(first.screen).toMatch(/^\/ +no token +200 JSON, error 499$/m)
      expect(first.text).toContain('"logLevel": "INFO"')
    }
    const found = first.text?.matchAll(/"state": "(not_configured|ready)"/g) ?? []
    expect([...found].map(([, state]) => state)).toEqual(states)
  },
)

/** A site that answers by path with raw bytes, and 404 elsewhere. */
async function aSite(answers: Readonly<Record<string, Reply>>) {
  const base = '/canarycontext/admin'
  const nothing = http(404, '{"error":{"code":404,"message":"canary in an error","details":["canary"]}}')
  const server = await httpDouble([
    { reply: ({ path }) => answers[path.slice(base.length).split('?')[0] ?? ''] ?? nothing },
  ])
  return { url: `http://${server.host}${base}`, received: server.received }
}

const json = (body: unknown, status = 200) => http(status, JSON.stringify(body), headers)
const headers =
  'content-type: application/json\r\nserver: canary-server\r\nset-cookie: canary=canary\r\nx-canary: canary\r\n'

/** A canary for every place of a response where a site can put a value of its own. */
const canaries = {
  '': json({
    fullVersion: '11.4.0-canary',
    currentVersion: 4242.4242,
    resources: ['canary', 'orgs'],
    canaryField: 'canary',
    status: {
      state: 'canary_state',
      message: 'The organization canary was created by canary@example.org',
      warnings: ['canary', { canary: 'canary' }],
      stages: [
        { name: 'canary stage', state: 'completed', lastUpdated: 4242424242424 },
        { name: 'Queue store', state: 'canary', startTime: 0 },
      ],
    },
    info: { build: 'canary', canary: { canary: ['canary'] } },
  }),
  '/orgs': json({ orgs: { 'canary-org': { id: 'canary', name: 'development' } } }),
  '/logs': http(200, '<html><title>canary</title><input type="password" value="canary"></html>', headers),
  '/logs/settings': json({ logLevel: 'canary', maxLogAgeDays: 4242 }),
  '/system': http(302, 'canary', `${headers}location: https://canary.example.org/canary?canary=canary\r\n`),
  '/system/upgrades': http(302, '', 'location: /canary/login?token=canary\r\n'),
  '/system/upgrades/config': json({
    podPlacementPolicy: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'canary', operator: 'In', values: ['canary'] }] }],
        },
      },
      tolerations: [{ key: 'canary', operator: 'Equal', value: 'canary', effect: 'NoSchedule' }],
    },
    containerResources: { 'canary-pod': { limits: { cpu: '4242m' } } },
  }),
  '/system/architectureprofiles': json({ name: 'canary', canary: 'enhanced-availability' }),
  '/system/properties': json({ 'canary.property': 'canary', containerStartUpTimeoutSeconds: 4242 }),
  '/uploads': http(200, 'canary in plain text', headers),
  '/services': http(200, '{"canary":', headers),
  '/datastores': http(503, '', headers),
  '/system/availabilityprofiles': { close: 'destroy' } as const,
  '/system/performanceprofiles': json('canary'),
  '/data': json({
    canaryItems: [
      {
        id: 'canary-store',
        clientPath: '/canary',
        type: 'canary',
        info: { fileServerHost: 'canary.example.org' },
      },
      { id: 'canary-store', name: 'canary' },
      { id: '../canary' },
    ],
  }),
  '/data/canary-store/config/volumes': json({
    volumes: [
      {
        component: 'BLOB',
        provisioningType: 'DYNAMIC',
        size: '4242Gi',
        storageClass: 'canary',
        labels: { 'canary/tier': 'canary', name: 'canary' },
      },
    ],
  }),
  '/data/canary-store/config/placementPolicy': json([{ canary: true }, 'canary', 4242]),
}

test('a file contains no value of the site', async () => {
  const site = await aSite(canaries)
  const { text = '', evidence, screen, exitCode } = await probe(site.url, ...withToken)
  expect(exitCode).toBe(exitCodes.done)
  const folder = /[^ "]*evidence\.json/g
  expect(`${text}${screen}`.replaceAll(folder, '')).not.toMatch(
    /canary|4242|example\.org|password|127\.0\.0\.1/i,
  )
  expect(site.received.join('\n')).toContain(
    'GET /canarycontext/admin/data/canary-store/config/volumes?f=json',
  )
  expect(site.received.filter(one => one !== '' && !one.startsWith('GET '))).toEqual([])
  // The shape of the responses is recorded nevertheless.
  const answers = Object.fromEntries(observed(evidence)?.map(one => [one.resource, one.answer]) ?? [])
  expect(answers['/logs']).toEqual({ kind: 'html', status: 200 })
  expect(answers['/system']).toEqual({ kind: 'redirect', status: 302, to: 'elsewhere' })
  expect(answers['/system/upgrades']).toEqual({ kind: 'redirect', status: 302, to: 'sign-in' })
  expect(answers['/uploads']).toEqual({ kind: 'text', status: 200 })
  expect(answers['/services']).toEqual({ kind: 'text', status: 200 })
  expect(answers['/datastores']).toEqual({ kind: 'empty', status: 503 })
  expect(answers['/system/availabilityprofiles']).toEqual({ kind: 'none' })
  expect(answers['/system/upgrades/history']).toEqual({
    kind: 'json',
    status: 404,
    body: { error: { code: 404, message: '<text 18>', details: ['<identifier 6>'] } },
  })
  expect(answers['/system/upgrades/config']).toMatchObject({
    body: { containerResources: { '<key 10>': { limits: { cpu: '<identifier 5>' } } } },
  })
  expect(answers['/data/{store}/config/volumes']).toMatchObject({
    body: {
      volumes: [
        {
          component: 'BLOB',
          provisioningType: 'DYNAMIC',
          size: '<identifier 6>',
          labels: { '<key 11>': '<identifier 6>', '<key 4>': '<identifier 6>' },
        },
      ],
    },
  })
  expect(listSchemaErrors('probe', evidence)).toEqual([])
})

test('an existing file is replaced only with --force', async () => {
  const { url } = await anInspectedSite({ configured: true })
  const first = await probe(url)
  writeFileSync(first.out, 'mine')
  const host = fakeHost()
  const words = ['probe', '--url', url, '--out', first.out]
  expect(await run(words, host)).toBe(exitCodes.refused)
  expect(host.err().replaceAll(/\s+/g, ' ')).toContain('exists already')
  expect(readFileSync(first.out, 'utf8')).toBe('mine')
  expect(await run([...words, '--force'], fakeHost())).toBe(exitCodes.done)
  expect(listSchemaErrors('probe', JSON.parse(readFileSync(first.out, 'utf8')))).toEqual([])
})

test('a file that appears during the probe is not replaced', async () => {
  const out = join(await temporaryFolder(), 'evidence.json')
  const emulator = await anEmulator({ inspect: () => writeFileSync(out, 'mine') })
  expect(await run(['probe', '--url', emulator.url, '--out', out], fakeHost())).toBe(exitCodes.state)
  expect(readFileSync(out, 'utf8')).toBe('mine')
})

test('the file of --token is below the working folder, wherever the manifest is', async () => {
  const site = await anEmulator({ token, fidelity: 'field', configured: true })
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const before = process.cwd()
  process.chdir(await temporaryFolder())
  try {
    mkdirSync('sites')
    writeFileSync('token', token)
    writeFileSync('sites/site.yaml', withoutState(text).replace(/url: https:.*/, `url: ${site.url}`))
    const host = fakeHost({ environment: {} })
    const exitCode = await run(['probe', 'sites/site.yaml', '--token', 'file:token'], host)
    expect([exitCode, host.out()]).toEqual([0, expect.stringMatching(/^\/ +with token +200 JSON, ready$/m)])
  } finally {
    process.chdir(before)
  }
})

test('a rejected or missing token is reported before anything is written', async () => {
  const rejected = http(200, '{"error":{"code":498,"message":"Invalid token.","details":[]}}')
  const site = await aSite({ '': rejected })
  expect(await probe(site.url, ...withToken)).toMatchObject({
    exitCode: exitCodes.permission,
    text: undefined,
    err: expect.stringContaining('--token env:LANDFORM_TOKEN'),
  })
  const asked = site.received.length
  const missing = await probe(site.url, '--token', 'env:LANDFORM_NO_SUCH_TOKEN')
  expect(missing).toMatchObject({ exitCode: exitCodes.missing, text: undefined })
  expect(missing.err).toContain('LANDFORM_NO_SUCH_TOKEN')
  expect(site.received).toHaveLength(asked)
})

test('a file that cannot be written is an error', async () => {
  const { url } = await anInspectedSite({})
  const host = fakeHost()
  const out = join(await temporaryFolder(), 'none', 'evidence.json')
  expect(await run(['probe', '--url', url, '--out', out], host)).toBe(exitCodes.state)
  expect(host.err()).toMatch(/could not write \S+: its folder does not exist \(ENOENT\)/)
})

test('without --out nothing is written, and the document can be printed', async () => {
  const { url } = await anInspectedSite({ configured: true })
  const host = fakeHost({ columns: 80 })
  expect(await run(['probe', '--url', url, '--format', 'json'], host)).toBe(exitCodes.done)
  expect(listSchemaErrors('probe', JSON.parse(host.out()))).toEqual([])
  expect(host.err()).toContain('no file was written')
  expect(await run(['probe', '--url', url, '--force'], fakeHost()).catch(String)).toBe(exitCodes.usage)
})

test('a response in an unknown format is recorded as well', async () => {
  const site = await aSite({ '': json({ canary: 'canary' }), '/orgs': http(942, '{}') })
  const { evidence, exitCode } = await probe(site.url)
  expect(exitCode).toBe(exitCodes.done)
  expect(observed(evidence)?.[0]).toEqual({
    resource: '',
    signedIn: false,
    answer: { kind: 'json', status: 200, body: { '<key 6>': '<identifier 6>' } },
  })
  expect(observed(evidence)?.[1]).toEqual({ resource: '/orgs', signedIn: false, answer: { kind: 'none' } })
})
