import { run } from '../../src/cli/run.js'
import { aCertificate } from '../support/certificate.js'
import { exampleCopy } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { answeringSite, http, httpDouble, json, type Reply } from '../support/http-double.js'
import { readyRoot } from '../support/site-of-settings.js'
import { someSecrets } from '../support/some-secrets.js'

const page = '<html><title>404 Not Found</title>nginx</html>'

/** Gives the replies in order, and the last one to all further requests. */
const inTurn = (...replies: readonly Reply[]) => {
  let looks = 0
  const react = () => {
    looks += 1
    return replies[Math.min(looks, replies.length) - 1]
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
const notUpYet: readonly Reply[] = [
  http(503, ''),
  http(502, page),
  http(504, page),
  http(404, page),
  { close: 'destroy' },
]

describe.each(commands)('%s', (...command) => {
  test('waits for an address that is not up yet, whatever its responses are', async () => {
    const { react, looks } = inTurn(...notUpYet, json(readyRoot))
    const site = await answeringSite(json({}, 500), react)
    const { exitCode, err, waitedMs } = await commanded(command, site.url, '15m')
    expect([exitCode, err]).toEqual([0, expect.stringMatching(/waiting up to 15m 00s for http.*503/)])
    expect(err.match(/waiting up to/g)).toHaveLength(1)
    expect(looks()).toBeGreaterThan(notUpYet.length)
    expect(waitedMs).toBe(1000 + 2000 + 4000 + 8000 + 10_000)
  })

  test('ends with 69 if it is not up in time', async () => {
    const site = await answeringSite(json({}, 500), http(503, ''))
    const { exitCode, err, waitedMs } = await commanded(command, site.url, '5m')
    expect([exitCode, err]).toEqual([69, expect.stringContaining('was not up after 5m')])
    expect([waitedMs, site.posts()]).toEqual([300_000, []])
  })

  test('does not wait if a token is missing', async () => {
    const site = await answeringSite(json({}, 500), http(401, ''))
    const { exitCode, waitedMs } = await commanded(command, site.url, '15m')
    expect([exitCode, waitedMs]).toEqual([77, 0])
  })

  test('does not wait if TLS is rejected', async () => {
    const { cert, key } = aCertificate('itself')
    const { port } = await httpDouble([], { cert, key })
    const { exitCode, waitedMs } = await commanded(command, `https://127.0.0.1:${port}/admin`, '15m')
    expect([exitCode, waitedMs]).toEqual([77, 0])
  })

  test('does not wait without the option', async () => {
    const site = await answeringSite(json({}, 500), http(503, ''))
    expect(await commanded(command, site.url, undefined)).toMatchObject({ exitCode: 75, waitedMs: 0 })
  })
})

test('--wait-ready and --offline exclude each other', async () => {
  const args = ['plan', '--offline', 'examples/minimal-10.9.yaml', '--wait-ready', '1m']
  const words = /--wait-ready and --offline exclude each other/
  const host = fakeHost()
  expect([await run(args, host), host.err()]).toEqual([64, expect.stringMatching(words)])
})
