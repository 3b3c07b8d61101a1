import { once } from 'node:events'
import { Agent, request } from 'node:http'
import fc from 'fast-check'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { anyText } from '../support/any-text.js'
import { cases } from '../support/cases.js'
import { configure, connection, operations, upgradeConfig, volumes } from './conformance/requests.js'

const agent = new Agent({ keepAlive: true })
let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator({ stageMs: 0, missingItems: true, unwritableLocations: ['/full'] })
})
afterAll(async () => {
  agent.destroy()
  await emulator.close()
})

/** The paths that the document has, and others that come near or are anything that HTTP can carry. */
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      '/exportSite',
      '/configure',
      '/system/upgrades/config/update',
      '/services/Roads.GPServer/webhooks/deleteAll',
    ),
  },
  fc.string().map(name => `/services/${encodeURIComponent(name)}/webhooks/deleteAll`),
  fc.string().map(text => `/${text.replaceAll(/[^\x21-\x7e]/g, '%')}`),
)

const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Object.keys(configure().multipart ?? {})) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'f',
      'token',
      'location',
      'validate',
      'upgradeConfig',
      'backupObjectStore',
      'backupObjectStoreRegion',
      'backupObjectStoreConnectionStr',
      'cloudConfig',
      'userManagedStores',
      'systemProperties',
    ),
  },
  fc.constantFrom('__proto__', 'constructor', 'toString', ''),
  anyText(),
)

/** Values that are right for something, JSON with a piece changed, any JSON, and any text. */
const right = [
  volumes(),
  upgradeConfig(),
  JSON.stringify(connection),
  'json',
  'pjson',
  'true',
  '/full',
  '13',
  '[]',
]
const values = fc.oneof(
  fc.constantFrom(...right),
  fc
    .tuple(
      fc.constantFrom(...right),
      fc.nat(),
      fc.constantFrom('', '"', '{', '[]', 'null', '1', '\\', '\u0000'),
    )
    .map(([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice((at % text.length) + 1)),
  fc.json(),
  anyText(),
)

/** A name, a value, and whether it is a file. */
type Sent = readonly [name: string, value: string, isFile: boolean]
const parts = fc.array(fc.tuple(names, values, fc.boolean()), { maxLength: 12 })
const boundary = '----------------0d15ea5e'

interface Body {
  readonly contentType: string
  readonly bytes: Buffer
}

const body: fc.Arbitrary<Body> = fc.oneof(
  parts.map(formEncoded),
  parts.map(multipart),
  fc.record({
    contentType: fc.constantFrom(
      'application/x-www-form-urlencoded',
      `multipart/form-data; boundary=${boundary}`,
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/json',
      'text/plain;;;=',
      '',
    ),
    bytes: fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
  }),
)

function asText([name, value]: Sent): Sent {
  return [name, value, false]
}

function formEncoded(parts: readonly Sent[]): Body {
  const sent = parts.map(([name, value]): [string, string] => [name, value])
  return {
    contentType: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(new URLSearchParams(sent).toString()),
  }
}

function multipart(parts: readonly Sent[]): Body {
  const text = parts.map(([name, value, isFile]) => {
    const escaped = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
    const file = isFile ? '; filename="f"' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped}"${file}\r\n\r\n${value}\r\n`
  })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${text.join('')}--${boundary}--\r\n`),
  }
}

const wild = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant('POST') },
    fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
  ),
  path,
  query: fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    fc.constantFrom('?', '?f=pjson', '?%zz=%', '??a=1'),
  ),
  body,
})

/** A request that would be taken, with a few parameters changed, added or sent again. */
const nearlyRight = fc
  .tuple(fc.constantFrom(...operations), fc.array(fc.tuple(names, values, fc.boolean()), { maxLength: 2 }))
  .map(([[, request], changes]) => {
    const { path, form, multipart: parts } = request()
    const own = Object.entries(form ?? parts ?? {}).map(
      ([name, value]) => [name, value instanceof File ? '{}' : String(value), value instanceof File] as const,
    )
    const replaced = changes.filter(([, , replaces]) => replaces).map(([name]) => name)
    const sent = [...own.filter(([name]) => !replaced.includes(name)), ...changes.map(asText)]
    return { method: 'POST', path, query: '', body: form === undefined ? multipart(sent) : formEncoded(sent) }
  })

const errorBody = { error: { code: expect.any(Number), message: expect.any(String), details: null } }
const documented = expect.objectContaining({ status: expect.anything() })

test('whatever is asked, the answer is JSON: an error body or one of the document', async () => {
  const { port, pathname } = new URL(emulator.url)
  const met = { refused: 0, taken: 0 }
  const property = fc.asyncProperty(
    fc.oneof(wild, nearlyRight),
    async ({ method, path: below, query, body: sent }) => {
      const headers = { 'content-type': sent.contentType, 'content-length': sent.bytes.length }
      const target = pathname + below + query
      const asked = request({ host: '127.0.0.1', port, method, path: target, headers, agent })
      asked.end(sent.bytes)
      const [response] = await once(asked, 'response')
      const text = Buffer.concat(await response.toArray()).toString()
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
      const answer: unknown = JSON.parse(text)
      const isRefusal =
        response.statusCode !== 200 || text.startsWith('{"error"') || text.startsWith('{\n  "error"')
      met[isRefusal ? 'refused' : 'taken']++
      expect(answer).toEqual(isRefusal ? errorBody : documented)
    },
  )
  await fc.assert(property, { numRuns: cases(140) })
  expect((await fetch(emulator.url)).status).toBe(200)
  // If one side were never met, the property would look at half of the emulator only.
  expect(met.refused).toBeGreaterThan(14)
  expect(met.taken).toBeGreaterThan(7)
})
