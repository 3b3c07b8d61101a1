import type { Socket } from 'node:net'
import { run } from '../../src/cli/run.js'
import { answeringSite, http, json, type Reaction } from '../support/answering-site.js'
import { aCertificate } from '../support/certificate.js'
import { exampleCopy } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { startRawServer, startRawTlsServer, stopRawServers } from '../support/raw-server.js'
import { readyRoot } from '../support/site-of-settings.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'

afterEach(async () => {
  await stopRawServers()
  await removeTemporaryFolders()
})

const page = '<html><title>404 Not Found</title>nginx</html>'

/** Each look meets the next reaction; the last one stays. */
const inTurn = (...reactions: readonly Reaction[]) => {
  let looks = 0
  const react = (socket: Socket) => {
    const reaction = reactions[Math.min(looks, reactions.length - 1)] ?? ''
    looks += 1
    if (typeof reaction === 'string') socket.end(reaction)
    else reaction(socket)
  }
  return { react, looks: () => looks }
}

const commanded = async (command: readonly string[], url: string, waitOptions: string | undefined) => {
  const host = fakeHost({ environment: someSecrets })
  const begunMs = host.clock.monotonicMs()
  const wait = waitOptions === undefined ? [] : ['--wait-ready', waitOptions]
  const manifest = await exampleCopy('minimal-10.9')
  const exitCode = await run([...command, manifest, '--url', url, ...wait], host)
  return { exitCode, err: host.err(), waitedMs: host.clock.monotonicMs() - begunMs }
}

const commands = [['plan'], ['status'], ['apply', '--yes', '--ignore-immutable', 'spec']] as const
const notUpYet: readonly (readonly [string, Reaction])[] = [
  ['503', http(503, '')],
  ['502 with a page', http(502, page)],
  ['504 with a page', http(504, page)],
  ['the 404 page of an ingress', http(404, page)],
  ['a connection that is cut', socket => socket.destroy()],
]

describe.each(commands)('%s', (...command) => {
  test('waits for an address that is not up yet, whatever it says meanwhile', async () => {
    const { react, looks } = inTurn(...notUpYet.map(([, reaction]) => reaction), json(readyRoot))
    const site = await answeringSite(json({}, 500), react)
    const { exitCode, err, waitedMs } = await commanded(command, site.url, '15m')
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/waiting up to 15m 00s for http.*503/)])
    expect(err.match(/waiting up to/g)).toHaveLength(1)
    expect(looks()).toBeGreaterThan(notUpYet.length)
    expect(waitedMs).toBe(1000 + 2000 + 4000 + 8000 + 10_000)
  })

  test.each(notUpYet)('ends with 69 where it is %s until the time is over', async (_what, reaction) => {
    const site = await answeringSite(json({}, 500), reaction)
    const { exitCode, err, waitedMs } = await commanded(command, site.url, '5m')
    expect([exitCode, err]).toEqual([69, expect.stringContaining('was not up after 5m')])
    expect([waitedMs, site.posts()]).toEqual([300_000, []])
  })

  test('ends with 69 where nobody listens until the time is over', async () => {
    const { port } = await startRawServer(() => undefined)
    await stopRawServers()
    const { exitCode, waitedMs } = await commanded(command, `http://127.0.0.1:${port}/admin`, '90s')
    expect([exitCode, waitedMs]).toEqual([69, 90_000])
  })

  test.each<[string, Reaction, number]>([
    ['401', http(401, ''), 77],
    ['403 with a page', http(403, page), 77],
    ['a page to sign in at', http(200, '<title>Sign in</title>'), 77],
  ])('does not wait where it is %s', async (_what, reaction, code) => {
    const site = await answeringSite(json({}, 500), reaction)
    const { exitCode, waitedMs } = await commanded(command, site.url, '15m')
    expect([exitCode, waitedMs]).toEqual([code, 0])
  })

  test('does not wait where TLS is refused', async () => {
    const { cert, key } = aCertificate('itself')
    const { port } = await startRawTlsServer({ cert, key }, () => undefined)
    const { exitCode, waitedMs } = await commanded(command, `https://127.0.0.1:${port}/admin`, '15m')
    expect([exitCode, waitedMs]).toEqual([77, 0])
  })

  test('does not wait unasked', async () => {
    const site = await answeringSite(json({}, 500), http(503, ''))
    expect(await commanded(command, site.url, undefined)).toMatchObject({ exitCode: 75, waitedMs: 0 })
  })
})

test.each([
  [
    ['plan', '--offline', 'examples/minimal-10.9.yaml', '--wait-ready', '1m'],
    /--wait-ready and --offline exclude each other/,
  ],
])('%j is a mistake', async (args, words) => {
  const host = fakeHost()
  expect([await run(args, host), host.err()]).toEqual([64, expect.stringMatching(words)])
})
