import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { anEmulator } from '../support/emulator.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let emulator: Emulator
let front: Server | undefined
afterEach(async () => {
  front?.closeAllConnections()
  front?.close()
})

interface Cache {
  /** Uses only the path as the key. */
  readonly ignoresQuery?: boolean
  /** Answers from its copies only once `configure` has been received. */
  readonly isLate?: boolean
}

/** A site that loses the response to `configure`, behind a cache that keeps each response to a GET despite its headers. */
async function startCachedSite({ ignoresQuery = false, isLate = false }: Cache = {}) {
  emulator = await anEmulator({
    stageMs: 1,
    faults: parseBuiltInRules(['configure@1=drop-after']),
  })
  const site = new URL(emulator.url)
  const { hostname, port, host } = site
  const kept = new Map<string, Buffer>()
  const received = () => emulator.world().counters.configure.received
  front = createServer((incoming, response) => {
    const { method, url = '' } = incoming
    const key = ignoresQuery ? (url.split('?')[0] ?? '') : url
    const isOn = !isLate || received() > 0
    const copy = method === 'GET' && isOn ? kept.get(key) : undefined
    if (copy !== undefined) {
      response.writeHead(200, { age: '60' }).end(copy)
      return
    }
    const headers = { ...incoming.headers, host }
    const passed = request({ hostname, port, method, path: url, headers }, answered => {
      const chunks: Buffer[] = []
      answered.on('data', chunk => chunks.push(chunk))
      answered.on('end', () => {
        const body = Buffer.concat(chunks)
        if (method === 'GET' && !kept.has(key)) kept.set(key, body)
        // Without the emulator's header, the site is like any other.
        response.writeHead(answered.statusCode ?? 500).end(body)
      })
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>(resolve => front?.listen(0, '127.0.0.1', resolve))
  site.port = String((front.address() as AddressInfo).port)
  const state = `file:${join(await temporaryFolder(), 'kept')}`
  const run = (command: readonly string[], more: readonly string[] = []) =>
    landform([...command, 'examples/quickstart.yaml', '--url', site.href, '--state', state, ...more], {
      environment: someSecrets,
    })
  return { run, received }
}

test('behind a cache that ignores no-cache, a lost response leads to one request, and the site is seen ready', async () => {
  const { run, received } = await startCachedSite()
  const { exitCode, err } = await run(['apply'], ['--yes'])
  expect([exitCode, received()]).toEqual([exitCodes.done, 1])
  expect(err).toContain('not retrying, watching the site')
})

test('an apply through a cache that ignores the query sends nothing', async () => {
  const { run, received } = await startCachedSite({ ignoresQuery: true })
  await run(['status'])
  const { exitCode, err } = await run(['apply'], ['--yes'])
  expect([exitCode, received()]).toEqual([exitCodes.refused, 0])
  expect(err).toContain('a copy from a cache, though a fresh response was requested')
})

test('copies from a cache never prove that nothing has begun', async () => {
  const { run, received } = await startCachedSite({ ignoresQuery: true, isLate: true })
  const first = await run(['apply'], ['--yes'])
  expect([first.exitCode, received()]).toEqual([exitCodes.unknown, 1])
  expect(first.err).not.toContain('the site shows no')
  const [, intent = ''] = /--intent (\S+)/.exec(first.err) ?? []
  const discarded = await run(['state', 'discard-intent'], ['--intent', intent, '--runner-is-gone', '--wait'])
  expect(discarded.exitCode).not.toBe(exitCodes.done)
  expect(discarded.err).toContain('a copy from a cache')
  const again = await run(['apply'], ['--yes'])
  expect([again.exitCode, received()]).toEqual([exitCodes.refused, 1])
})
