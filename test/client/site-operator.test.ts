import { siteOperator } from '../../src/client/site-operator.js'
import type { ExportRequest } from '../../src/client/wire/form-requests.js'
import { parseServiceName, type ServiceName } from '../../src/contract/operations.js'
import { type RequestPart, startEmulator } from '../../src/emulator/server.js'
import type { NeededSecret } from '../../src/secrets/needed-references.js'
import { Secret } from '../../src/secrets/secret.js'
import { answeringSite, http, json, withoutCacheBuster } from '../support/http-double.js'
import { tap } from '../support/tapped.js'

const token: NeededSecret = { kind: 'secret', pointer: '/--token', reference: { env: 'LANDFORM_TOKEN' } }
const accountKey: NeededSecret = {
  kind: 'secret',
  pointer: '/--account-key',
  reference: { env: 'LANDFORM_KEY' },
}
const hostileKey = 'a"b\\c+d/e==&f=é ☃\u0001'
const hostileToken = 'to+ken&f=html/=é'

const secrets = () =>
  new Map([
    ['/--token', new Secret(Buffer.from(hostileToken))] as const,
    ['/--account-key', new Secret(Buffer.from(hostileKey))] as const,
  ])
const options = () => ({ deadlineMs: 5000, signal: new AbortController().signal })
const service = (text: string): ServiceName => {
  const parsed = parseServiceName(text)
  if (parsed === undefined) throw new Error(text)
  return parsed
}

const folder: ExportRequest = {
  location: '\\\\server\\share\\a b&c=d',
  target: { kind: 'folder' },
  validate: false,
}
const bucket: ExportRequest = {
  ...folder,
  target: { kind: 'bucket', name: 'backups', region: 'eu-west-1' },
  token,
}
const container: ExportRequest = {
  ...folder,
  target: {
    kind: 'container',
    url: 'https://acct.blob.example.org/backups',
    accountName: 'ac"ct',
    accountEndpoint: 'blob.example.org',
    accountKey,
  },
  validate: true,
  token,
}

const valuesOf = (parts: readonly RequestPart[]) =>
  Object.fromEntries(parts.map(part => [part.name, part.kind === 'text' ? part.text : 'a file']))

describe('an export, parsed by the emulator,', () => {
  test.each([
    ['a folder', folder, {}],
    [
      'a bucket',
      bucket,
      { backupObjectStore: 'backups', backupObjectStoreRegion: 'eu-west-1', token: hostileToken },
    ],
    [
      'a container, only validated',
      container,
      {
        backupObjectStore: 'https://acct.blob.example.org/backups',
        backupObjectStoreConnectionStr: expect.any(String),
        validate: 'true',
        token: hostileToken,
      },
    ],
  ])('has exactly the parameters of its variant: %s', async (_what, request, more) => {
    const { inspect, requests } = tap()
    const emulator = await startEmulator({
      inspect,
      ...(request.token !== undefined && { token: hostileToken }),
    })
    const { url } = emulator
    try {
      const reply = await siteOperator(url).exportSite(request, secrets(), options())
      expect(reply.ok).toBe(true)
      const [only, ...others] = requests
      expect(others).toEqual([])
      expect(only).toMatchObject({
        method: 'POST',
        path: '/exportSite',
        contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
      })
      const values = valuesOf(only?.parts ?? [])
      expect(values).toEqual({ location: folder.location, f: 'json', ...more })
      if (request.target.kind === 'container')
        expect(JSON.parse(String(values['backupObjectStoreConnectionStr']))).toEqual({
          accountName: 'ac"ct',
          accountKey: hostileKey,
          accountEndpoint: 'blob.example.org',
        })
    } finally {
      await emulator.close()
    }
  })

  test('leaves the secrets intact, since the caller wipes them', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    const borrowed = secrets()
    await siteOperator(site.url).exportSite(container, borrowed, options())
    expect([...borrowed.values()].map(({ bytes }) => bytes.toString())).toEqual([hostileToken, hostileKey])
  })
})

describe('the path of a deletion', () => {
  test.each([
    ['Roads.GPServer', '/portal/admin/services/Roads.GPServer/webhooks'],
    ['My Roads-2.FeatureServer', '/portal/admin/services/My%20Roads-2.FeatureServer/webhooks'],
    ['Traffic/Roads.GPServer', '/portal/admin/services/Traffic/Roads.GPServer/webhooks'],
    ['Roads v1.2 (a).GPServer', '/portal/admin/services/Roads%20v1.2%20%28a%29.GPServer/webhooks'],
    ['Straßen/道路.GPServer', '/portal/admin/services/Stra%C3%9Fen/%E9%81%93%E8%B7%AF.GPServer/webhooks'],
  ])('of %s is exactly this one, byte for byte', async (name, path) => {
    const site = await answeringSite(json({ status: 'success' }), json([]))
    const operator = siteOperator(site.url)
    const request = { service: service(name), token }
    expect(await operator.deleteAll(request, secrets(), options())).toEqual({ ok: true, value: undefined })
    await operator.webhooks(request, secrets(), options())
    expect(site.posts().map(one => one.path)).toEqual([`${path}/deleteAll`])
    expect(site.gets().map(one => withoutCacheBuster(one.path))).toEqual([`${path}?f=json`])
  })

  test('escapes even characters that no name can contain', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    const evil = { folder: 'a?b', name: '../c#d%2f', type: 'GPServer' } as const
    await siteOperator(site.url).deleteAll({ service: evil }, secrets(), options())
    expect(site.posts().map(({ path }) => path)).toEqual([
      '/portal/admin/services/a%3Fb/..%2Fc%23d%252f.GPServer/webhooks/deleteAll',
    ])
  })

  test('is requested with the token in the body, and in no header or URL', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    await siteOperator(site.url).deleteAll({ service: service('R.GPServer'), token }, secrets(), options())
    const [{ head, body } = { head: '', body: '' }] = site.posts()
    expect(head.toLowerCase()).not.toContain('authorization')
    expect(head).not.toContain('to%2Bken')
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ f: 'json', token: hostileToken })
  })

  test('is requested without a token if there is none', async () => {
    const site = await answeringSite(json({ status: 'success' }))
    await siteOperator(site.url).deleteAll({ service: service('R.GPServer') }, secrets(), options())
    expect(site.posts().map(({ body }) => body)).toEqual(['f=json'])
  })
})

describe('the response about webhooks', () => {
  const look = async (answer: string, text = 'a-token') => {
    const site = await answeringSite('', answer)
    const borrowed = new Map([['/--token', new Secret(Buffer.from(text))] as const])
    const request = { service: service('R.GPServer'), token }
    const reply = await siteOperator(site.url).webhooks(request, borrowed, options())
    return { reply, site }
  }

  test.each([
    ['a bare list', json([{ name: 'a' }, { name: 'b' }]), { count: 2, names: ['a', 'b'] }],
    ['a list in a field', json({ webhooks: [{ id: 7, x: {} }] }), { count: 1, names: ['7'] }],
    ['nothing', json([]), { count: 0, names: [] }],
    ['records without a name', json([{}]), { count: 1, names: ['null'] }],
    ['an invalid name', json([{ name: { a: [] } }]), { count: 1, names: ['{"a":[]}'] }],
    ['a very long name', json([{ name: 'a'.repeat(5000) }]), { count: 1, names: ['a'.repeat(200)] }],
    ['a very long list', json(Array(9999).fill({ name: 'a' })), { count: 9999, names: Array(20).fill('a') }],
    ['an object without a list', json({ webhooks: 3 }), undefined],
    ['a list of texts', json(['a']), undefined],
    ['an error body with another status', json([{ name: 'a' }], 404), undefined],
    ['a web page', http(200, '<html>'), undefined],
    ['bytes that are not text', 'HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\n\xff\xfe', undefined],
  ])('may be %s', async (_what, answer, value) => {
    expect((await look(answer)).reply).toEqual({ ok: true, value })
  })

  test('has the message of an error body', async () => {
    const { reply } = await look(json({ error: { code: 499, message: 'Token Required.' } }))
    expect(reply).toMatchObject({ ok: false, error: { kind: 'unauthorized', code: 499 } })
  })

  test('is requested with the token in a header, and never in the URL', async () => {
    const { site } = await look(json([]))
    const [{ head, path } = { head: '', path: '' }] = site.gets()
    expect(head).toMatch(/^authorization: Bearer a-token$/im)
    expect(path).not.toContain('token')
  })

  test.each(['é', 'a b', 'a\r\nX-Evil: 1', 'a\u0001'])(
    'is requested without the token %j, which no header can contain',
    async text => {
      const { site, reply } = await look(json([]), text)
      expect(reply).toEqual({ ok: true, value: { count: 0, names: [] } })
      expect(site.gets()[0]?.head.toLowerCase()).not.toMatch(/authorization|evil/)
    },
  )
})

test('a secret that the service repeats in a rejection, or in the result of an export, is not shown', async () => {
  const container: ExportRequest = {
    location: '/backups',
    target: {
      kind: 'container',
      url: 'https://a.example/c',
      accountName: 'a',
      accountEndpoint: 'e',
      accountKey,
    },
    validate: false,
    token,
  }
  const echo = `key ${hostileKey}, token ${encodeURIComponent(hostileToken)}`
  const no = await answeringSite(json({ error: { code: 400, message: `bad ${echo}`, details: null } }))
  const exported = siteOperator(no.url).exportSite(container, secrets(), options())
  expect(await exported).toMatchObject({ error: { message: 'bad key ***, token ***' } })
  const deleted = siteOperator(no.url).deleteAll(
    { service: service('a.GPServer'), token },
    secrets(),
    options(),
  )
  expect(await deleted).toMatchObject({ error: { message: 'bad key ***, token ***' } })
  const warning = { status: 'success with warning', location: `/b/${hostileKey}`, messages: [echo] }
  const yes = await answeringSite(json(warning))
  const warned = siteOperator(yes.url).exportSite(container, secrets(), options())
  expect(await warned).toMatchObject({ value: { location: '/b/***', messages: ['key ***, token ***'] } })
})
