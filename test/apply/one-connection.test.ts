import { createSecureContext, type TlsOptions } from 'node:tls'
import { siteWriter } from '../../src/client/site-writer.js'
import { noToken } from '../../src/secrets/token-provider.js'
import { applied, planFor, portsFor } from '../support/applying.js'
import { anAuthority } from '../support/certificate.js'
import { answeringSite, connectProxy, http, httpDouble, json, type Reply } from '../support/http-double.js'
import { exampleManifest } from '../support/manifests.js'

const { policy: _, ...manifest } = exampleManifest()
const authority = anAuthority('An authority', { isAuthority: true })
const certificate = authority.issue('127.0.0.1', { names: ['127.0.0.1'] })
const trust = createSecureContext({ ca: authority.cert })

const root = (build: string, state: string) =>
  json({ fullVersion: '11.2.0', resources: ['orgs'], status: { state, stages: [] }, info: { build } })

/** A site that accepts the configuration and is ready at once. */
function aSite(build: string, toPoll: (answer: string) => Reply = answer => answer) {
  let state = 'not_configured'
  return answeringSite(
    () => {
      state = 'ready'
      return root(build, 'in_progress')
    },
    () => toPoll(root(build, state)),
  )
}

/** Forwards each connection, by its number from 0, to a port; with `tls`, it terminates TLS first. */
async function leading(portOf: (connection: number) => number, tls?: TlsOptions): Promise<number> {
  const double = await httpDouble(
    [{ on: 'connection', reply: ({ connection }) => ({ pipe: portOf(connection) }) }],
    tls,
  )
  return double.port
}

const endTls = (toPort: number) => leading(() => toPort, certificate)

type Way = (
  portOf: (connection: number) => number,
  ports: readonly number[],
) => Promise<ReturnType<typeof siteWriter>>

const ways: Readonly<Record<string, Way>> = {
  'a TLS terminator': async portOf => {
    const port = await endTls(await leading(portOf))
    return siteWriter(`https://127.0.0.1:${port}/portal/admin`, noToken, { trust })
  },
  'a CONNECT proxy': async (portOf, ports) => {
    const secured = new Map(await Promise.all(ports.map(async port => [port, await endTls(port)] as const)))
    const toPort = await leading(connection => secured.get(portOf(connection)) ?? 0)
    const { port } = await connectProxy({ toPort })
    const proxy = {
      url: new URL(`http://127.0.0.1:${port}`),
      host: `127.0.0.1:${port}`,
      variable: 'https_proxy',
    }
    return siteWriter('https://127.0.0.1/portal/admin', noToken, { trust, proxy })
  },
}

describe.each(Object.entries(ways))('behind %s in front of two sites', (_, way) => {
  test.each([1, 2, 3])('configure never reaches the other site, to which connection %d leads', async at => {
    const [planned, other] = [await aSite('1234'), await aSite('9999')]
    const portOf = (connection: number) => (connection < at ? planned.port : other.port)
    const client = await way(portOf, [planned.port, other.port])
    const ports = portsFor(planned.url, { client })
    const plan = await planFor(planned.url, manifest, ports)
    const { receipt } = await applied(plan, ports, { timeoutMs: 60_000 })
    expect(other.posts()).toHaveLength(0)
    expect(planned.posts()).toHaveLength(at === 1 ? 0 : 1)
    if (at > 1) return
    const moved = [{ kind: 'site-build', was: '1234', is: '9999' }]
    expect(receipt.outcome).toStrictEqual({ kind: 'stale', moved })
    const kept = await ports.state.read()
    expect(kept.ok && kept.value?.submission).toBeUndefined()
  })
})

test('a site that closes each connection after its response gets the request once, on a new connection', async () => {
  const site = await aSite('1234', answer => [
    answer.replace('\r\n', '\r\nconnection: close\r\n'),
    { close: 'end' },
  ])
  const ports = portsFor(site.url, { client: siteWriter(site.url) })
  const plan = await planFor(site.url, manifest, ports)
  const { receipt } = await applied(plan, ports)
  expect(receipt.outcome).not.toMatchObject({ kind: 'not-taken' })
  expect(site.posts()).toHaveLength(1)
})

test('after an unsolicited response, configure is sent on a new connection', async () => {
  const unasked = http(200, '{}')
  const site = await aSite('1234', answer => [answer + unasked])
  const ports = portsFor(site.url, { client: siteWriter(site.url) })
  const plan = await planFor(site.url, manifest, ports)
  const { receipt } = await applied(plan, ports)
  expect(receipt.outcome).not.toMatchObject({ kind: 'not-taken' })
  expect(site.posts()).toHaveLength(1)
})
