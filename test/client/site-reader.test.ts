import type { GetRequest } from '../../src/client/message.js'
import type { SiteReader, SiteWriter } from '../../src/client/site-client.js'
import { siteReader } from '../../src/client/site-reader.js'
import { siteWriter } from '../../src/client/site-writer.js'
import { Secret } from '../../src/secrets/secret.js'
import { answeringSite, json } from '../support/http-double.js'

/** The members of a writer that a reader does not have. */
type Writes = Exclude<keyof SiteWriter, keyof SiteReader>

test('the types allow no writing with a reader', () => {
  // If one of these lines compiles, type checking fails.
  const misuse = (reader: SiteReader, look: GetRequest) => {
    // @ts-expect-error: a reader is no writer
    const writer: SiteWriter = reader
    return [
      writer.validateLicense,
      // @ts-expect-error: a reader does not configure
      reader.openConfigure,
      // @ts-expect-error: a reader does not update
      reader.update,
      // @ts-expect-error: a look has no method
      look.method,
      // @ts-expect-error: a look has no body
      look.body,
    ]
  }
  const url = 'http://127.0.0.1:9'
  const look = { url, path: '/', deadlineMs: 1, signal: new AbortController().signal }
  expect(misuse(siteReader(url), look)).toEqual(Array(5).fill(undefined))
})

test('a reader has no methods that write, even at run time', () => {
  const writes: Readonly<Record<Writes, true>> = {
    openConfigure: true,
    update: true,
    validateLicense: true,
  }
  const [reader, writer] = [siteReader('http://127.0.0.1:9'), siteWriter('http://127.0.0.1:9')]
  expect(Object.keys(writer).sort()).toEqual([...Object.keys(reader), ...Object.keys(writes)].sort())
  for (const name of Object.keys(writes)) expect(name in reader).toBe(false)
})

test('a token is in no URL, which proxies and services log, whether of a poll, a setting or an update', async () => {
  const token = 'canary-token-0123456789'
  const refusal = json({ error: { code: 499, message: 'Token Required', details: null } })
  const site = await answeringSite(refusal, refusal)
  const { signal } = new AbortController()
  const borrowed = () => new Secret(Buffer.from(token))
  const writer = siteWriter(site.url, use => use(borrowed()))
  await writer.observe(signal)
  await writer.settings(signal)
  await writer.update({ upgradeConfig: {} }, borrowed(), signal)
  const asked = [...site.gets(), ...site.posts()]
  expect(asked.filter(({ path }) => path.includes(token))).toEqual([])
  const inside = asked.filter(({ head, body }) => `${head}${body}`.includes(token))
  expect(new Set(inside.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
})
