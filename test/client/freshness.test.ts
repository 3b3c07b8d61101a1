import { siteOperator } from '../../src/client/site-operator.js'
import { readSiteDate, siteReader } from '../../src/client/site-reader.js'
import { causeOfService } from '../../src/report/endings/service.js'
import { answeringSite, http, json } from '../support/http-double.js'

const { signal } = new AbortController()
const root = { resources: ['orgs'], fullVersion: '11.2.0', status: { state: 'not_configured' } }
const aged = (age: string, body: unknown = root, status = 200) =>
  http(status, JSON.stringify(body), `age: ${age}\r\ndate: Fri, 02 Jan 2026 03:04:05 GMT\r\n`)
const cached = { kind: 'not-understood', status: 200, reason: 'cached' } as const

test('every poll has a different URL, and asks caches not to answer', async () => {
  const { url, gets } = await answeringSite('', json(root))
  const reader = siteReader(url)
  for (let polls = 0; polls < 5; polls += 1) await reader.observe(signal)
  await reader.settings(signal)
  expect(gets().length).toBeGreaterThan(5)
  const parameters = gets().map(({ path }) => new URL(path, url).searchParams.get('_'))
  expect(new Set(parameters).size).toBe(gets().length)
  for (const { head } of gets()) expect(head.toLowerCase()).toContain('\r\ncache-control: no-cache')
})

test.each(['1', '86400', ' 37', '0, 12'])('a root resource with the age %s proves nothing', async age => {
  const { url } = await answeringSite('', aged(age))
  expect(await siteReader(url).observe(signal)).toEqual({ ok: false, error: cached })
})

test.each(['0', '', 'none', '0, 0'])('a root resource with the age "%s" is from the site', async age => {
  const { url } = await answeringSite('', aged(age))
  expect(await siteReader(url).observe(signal)).toMatchObject({ value: { kind: 'not-configured' } })
})

test('the message names the remedy, and the next attempt would fail in the same way', () => {
  expect(causeOfService(cached).say).toBe(
    'unexpected response (HTTP 200): a copy from a cache, though a fresh response was requested: exclude the path of the site from that cache',
  )
  expect(causeOfService(cached).exit).toBe('refused')
})

test.each([
  [{ error: { code: 499, message: 'Token required', details: null } }, 200, 'unauthorized'],
  [{ error: { code: 500, message: 'No.', details: null } }, 200, 'refused'],
  [{}, 503, 'trouble'],
])('an error is not changed by its age: %j', async (body, status, kind) => {
  const { url } = await answeringSite('', aged('60', body, status))
  expect(await siteReader(url).observe(signal)).toMatchObject({ error: { kind } })
})

test('settings, webhooks and the date of a site are not accepted from a cache', async () => {
  const { url } = await answeringSite('', aged('60', { logLevel: 'INFO', webhooks: [] }))
  const { logLevel } = await siteReader(url).settings(signal)
  expect(logLevel).toEqual({ kind: 'unreadable', because: 'not-understood' })
  const service = { name: 'Roads', type: 'GPServer' } as const
  const listed = await siteOperator(url).webhooks({ service }, new Map(), { deadlineMs: 5000, signal })
  expect(listed).toEqual({ ok: false, error: cached })
  expect(await readSiteDate(url, signal)).toBeUndefined()
})
