import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteWriter } from '../../src/client/site-writer.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { openJailed } from '../../src/secrets/file-jail.js'
import { Secret, SecretFile, type Secrets, type SecretsToSend } from '../../src/secrets/secret.js'
import { anOrganization } from '../support/an-organization.js'
import { answeringSite, freePort, http, httpDouble, json, type Rule } from '../support/http-double.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const { signal } = new AbortController()
const password = 'Correct-horse-1'
const pointers = [
  '/spec/administrator/password',
  '/spec/administrator/securityQuestion/answer',
  '/spec/license/file',
]

afterEach(removeTemporaryFolders)

function secrets(): Secrets {
  return new Map(pointers.map(pointer => [pointer as JsonPointer, new Secret(Buffer.from(password))]))
}

async function opened(port: number) {
  const call = await siteWriter(`http://127.0.0.1:${port}/admin`).openConfigure(
    anOrganization(),
    secrets(),
    signal,
  )
  if (!call.ok) throw new Error(call.error.kind)
  return call.value
}

const emptyRoot = json({ resources: ['orgs'], status: { state: 'not_configured' } })

/** An empty site that answers configure with these rules; `received` is everything after the poll. */
async function emptySite(...rules: readonly Rule[]) {
  const double = await httpDouble([{ method: 'GET', reply: emptyRoot }, ...rules])
  return { ...double, received: () => double.received.join('').replace(/^GET .*?\r\n\r\n/s, '') }
}

/** Waits until this process has read what the kernel has received: nothing on the other side can report that. */
async function heard() {
  for (let turn = 0; turn < 9; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

describe('a configure request with a large license', () => {
  const large = randomBytes(6 * 1024 * 1024)

  async function openedWithFile(port: number) {
    const folder = await temporaryFolder()
    const path = join(folder, 'license.json')
    writeFileSync(path, large)
    const reply = await openJailed(folder, 'license.json', { maxBytes: 100_000_000, wholeBytes: 1_000_000 })
    if (reply.kind !== 'opened') throw new Error(reply.kind)
    const file = new SecretFile(reply.file)
    const given: SecretsToSend = new Map<JsonPointer, Secret | SecretFile>([
      ...secrets(),
      ['/spec/license/file', file],
    ])
    const writer = siteWriter(`http://127.0.0.1:${port}/admin`)
    const call = await writer.openConfigure(anOrganization(), given, signal)
    if (!call.ok) throw new Error(call.error.kind)
    return { path, call: call.value, file }
  }

  test('is read while it is sent, with a known length', async () => {
    const server = await emptySite({ reply: json({}) })
    const { call, file } = await openedWithFile(server.port)
    const reply = await call.send(signal)
    // The response is not one of the service, but it proves that the server received as many bytes as were announced.
    expect(reply).toMatchObject({ ok: false, error: { kind: 'not-understood' } })
    expect(server.posts()[0]?.body.includes(large.toString('latin1'))).toBe(true)
    file.wipe()
  })

  test('is cut off before its end if the file changes in between', async () => {
    let path = ''
    const grow = () => appendFileSync(path, 'more')
    const server = await emptySite(
      { on: 'bytes', method: 'POST', reply: () => void grow() },
      { reply: json({}) },
    )
    const made = await openedWithFile(server.port)
    path = made.path
    const reply = await made.call.send(signal)
    expect(reply).toMatchObject({ ok: false, error: { kind: 'no-answer', reason: 'FILE_CHANGED' } })
    expect(server.received().length).toBeLessThan(large.byteLength)
    made.file.wipe()
  })
})

describe('a configure request that is opened', () => {
  test('has a connection, on which no byte is sent until the call is sent', async () => {
    const server = await emptySite()
    const call = await opened(server.port)
    call.discard()
    await server.closed(0)
    expect(server.received()).toBe('')
  })

  test('sends nothing if no server listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect(await siteWriter(url).openConfigure(anOrganization(), secrets(), signal)).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', cause: 'connection' },
    })
  })

  test('is sent once', async () => {
    const server = await emptySite({ reply: http(503, '') })
    const call = await opened(server.port)
    expect(await call.send(signal)).toMatchObject({ ok: false, error: { kind: 'trouble', status: 503 } })
    await expect(call.send(signal)).rejects.toThrow('before')
    expect(server.received().split('POST ').length - 1).toBe(1)
  })

  test('sends a license of a megabyte byte for byte, with its length', async () => {
    const license = Buffer.from(Array.from({ length: 1_000_003 }, (_, at) => (at * at) % 251))
    const server = await emptySite({ reply: http(503, '') })
    const call = await siteWriter(`http://127.0.0.1:${server.port}`).openConfigure(
      anOrganization(),
      new Map([...secrets(), ['/spec/license/file', new Secret(license)]]),
      signal,
    )
    if (!call.ok) throw new Error(call.error.kind)
    expect(await call.value.send(signal)).toMatchObject({ ok: false, error: { kind: 'trouble' } })
    const [head = '', ...rest] = server.received().split('\r\n\r\n')
    const body = rest.join('\r\n\r\n')
    expect(head).toContain(`content-length: ${body.length}`)
    expect(body.includes(license.toString('latin1'))).toBe(true)
  })

  test.each<[string, string, Record<string, unknown>]>([
    [
      'refuses',
      JSON.stringify({ error: { code: 400, message: `not with ${password}`, details: null } }),
      { ok: false, error: { kind: 'refused', message: 'not with ***' } },
    ],
    [
      'accepts it',
      JSON.stringify({
        fullVersion: '11.2',
        currentVersion: 11.2,
        resources: [],
        status: {
          state: 'in_progress',
          message: `with ${password}`,
          warnings: [`weak: ${password}`],
          stages: [],
        },
        info: { build: '1' },
      }),
      { ok: true, value: { kind: 'in-progress', message: 'with ***', warnings: ['weak: ***'] } },
    ],
  ])('shows no secret if the service %s and repeats it', async (_what, body, reply) => {
    const server = await emptySite({ reply: http(200, body) })
    const call = await opened(server.port)
    expect(await call.send(signal)).toMatchObject(reply)
  })

  test('cannot be sent after it was discarded', async () => {
    const server = await emptySite()
    const call = await opened(server.port)
    call.discard()
    await expect(call.send(signal)).rejects.toThrow('before')
    expect(server.received()).toBe('')
  })

  test.each([
    ['closes the connection', { close: 'end' }],
    ['resets', { close: 'reset' }],
  ] as const)(
    'is known to be unsent if the server first %s, and opens no other connection',
    async (_what, leave) => {
      const isOpen = new AbortController()
      const until = once(isOpen.signal, 'abort')
      const server = await emptySite({ on: 'connection', reply: [{ until }, leave] })
      const call = await opened(server.port)
      isOpen.abort()
      await server.closed(0)
      await heard()
      expect(await call.send(signal)).toMatchObject({ ok: false, error: { kind: 'not-sent' } })
      expect(server.received()).toBe('')
    },
  )

  test('is not sent if a response arrives before the request', async () => {
    const isOpen = new AbortController()
    const server = await emptySite({
      on: 'connection',
      reply: [{ until: once(isOpen.signal, 'abort') }, json({})],
    })
    const call = await opened(server.port)
    isOpen.abort()
    await heard()
    expect(await call.send(signal)).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', reason: 'CONNECTION_LOST' },
    })
    expect(server.received()).toBe('')
  })

  test('is not sent if the run was interrupted before', async () => {
    const server = await emptySite()
    const call = await opened(server.port)
    expect(await call.send(AbortSignal.abort())).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', cause: 'stopped' },
    })
    expect(server.received()).toBe('')
  })

  test('may have been received if only its first bytes were sent', async () => {
    const server = await emptySite({ on: 'bytes', method: 'POST', reply: { close: 'reset' } })
    const call = await opened(server.port)
    expect(await call.send(signal)).toMatchObject({ ok: false, error: { kind: 'no-answer' } })
  })
})

test('secrets that were sent and wiped are redacted if a later poll repeats them', async () => {
  const said = `weak: ${password}, ${Buffer.from(password).toString('base64')}`
  const stages = [{ name: said, state: 'in_progress', lastUpdated: 1 }]
  const root = { fullVersion: '11.2.0', currentVersion: 11.2, resources: [], info: { build: '1' } }
  const status = { state: 'in_progress', message: said, warnings: [said], stages }
  const site = await answeringSite(json({ ...root, status }), json({ ...root, status }))
  const writer = siteWriter(site.url)
  const sent = secrets()
  const call = await writer.openConfigure(anOrganization(), sent, signal)
  if (!call.ok) throw new Error(call.error.kind)
  await call.value.send(signal)
  for (const secret of sent.values()) secret.wipe()
  const rest = 'weak: ***, ***'
  expect(await writer.observe(signal)).toMatchObject({
    value: { message: rest, warnings: [rest], stages: [{ name: rest }] },
  })
})

test('a license check without a response ends as silent at its deadline, and sends the license once', async () => {
  const { url, posts } = await answeringSite(() => undefined)
  const limits = { deadlineMs: 500, signal }
  expect(await siteWriter(url).validateLicense?.(secrets(), limits)).toEqual({ kind: 'silent' })
  expect(posts().map(({ path }) => path)).toEqual([expect.stringMatching(/\/license\/validateLicense$/)])
})
