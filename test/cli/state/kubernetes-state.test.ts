import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { type ApiServer, apiServer, namespace } from '../../support/api-server.js'
import { eachDeclaredSite } from '../../support/declared-site.js'
import { aFault, anEmulator } from '../../support/emulator.js'
import { kubeconfig } from '../../support/kubernetes-place.js'
import { someSecrets } from '../../support/some-secrets.js'

let server: ApiServer
let KUBECONFIG = ''
const place = `kubernetes:test/${namespace}`
const { at, manifest, declare, run } = eachDeclaredSite(() => ({ KUBECONFIG }))
beforeEach(async () => {
  server = await apiServer()
  KUBECONFIG = await kubeconfig(at.folder, server)
})

test('state moves from a folder to a cluster, later runs follow it, and it contains no secret', async () => {
  const here = `file:${join(at.folder, 'state')}`
  declare(here)
  expect((await run(['apply', manifest(), '--yes'])).exitCode).toBe(0)
  const moved = await run(['state', 'move', here, place, manifest()])
  expect([moved.exitCode, moved.out]).toEqual([0, expect.stringContaining(`to ${place}`)])
  const again = await run(['apply', manifest(), '--yes'])
  expect([again.exitCode, again.out + again.err]).toEqual([0, expect.stringContaining('No changes')])
  declare(place)
  const shown = await run(['state', 'show', manifest()])
  expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining(place)])
  const kept = [...server.secrets.values()]
    .map(({ data }) => Buffer.from(data['state'] ?? '', 'base64'))
    .join('')
  const seen = kept + moved.out + moved.err + again.out + again.err + shown.out + shown.err
  const secrets = [...Object.values(someSecrets), server.token]
  expect(secrets.filter(secret => secret.length > 3 && seen.includes(secret))).toEqual([])
})

test('without a cluster, or access to it, nothing is sent to the site', async () => {
  declare(place)
  const none = await run(['apply', manifest(), '--yes'], { KUBECONFIG: '' })
  expect([none.exitCode, none.err]).toEqual([74, expect.stringContaining('the kubeconfig (KUBECONFIG, or')])
  declare('kubernetes:test/forbidden')
  const denied = await run(['apply', manifest(), '--yes'])
  expect([denied.exitCode, denied.err]).toEqual([
    74,
    expect.stringContaining('create, get and list on secrets'),
  ])
  expect(denied.err).toContain('nothing was sent')
})

describe('a lost request, with state in the cluster of one context', () => {
  let other: ApiServer
  let lossy: Emulator
  let configures = 0

  beforeEach(async () => {
    other = await apiServer()
    configures = 0
    lossy = await anEmulator({
      stageMs: 1,
      faults: [aFault('configure@1=drop-before')],
      inspect: ({ received }) => {
        if (received.request.path?.endsWith('/configure')) configures += 1
      },
    })
    writeKubeconfig('a', { a: server, b: other })
    declare(`kubernetes:a/${namespace}`, lossy.url)
    expect((await apply('one')).exitCode).toBe(4)
    expect(configures).toBe(1)
  })

  const apply = (home: string) =>
    run(['apply', manifest(), '--yes', '--timeout', '1s'], {
      HOME: at.folder,
      XDG_STATE_HOME: join(at.folder, home),
    })
  /** Writes a kubeconfig with a context for each server. */
  const writeKubeconfig = (current: string, servers: Readonly<Record<string, ApiServer>>) => {
    const list = (part: string, value: (name: string, one: ApiServer) => object) =>
      Object.entries(servers).map(([name, one]) => ({ name, [part]: value(name, one) }))
    const config = {
      'current-context': current,
      contexts: list('context', name => ({ cluster: name, user: name })),
      clusters: list('cluster', (_, { url }) => ({ server: url })),
      users: list('user', (_, { token }) => ({ token })),
    }
    writeFileSync(KUBECONFIG, JSON.stringify(config))
  }

  test('is not sent again by another operator with a different current context', async () => {
    writeKubeconfig('b', { a: server, b: other })
    expect((await apply('two')).exitCode).toBe(4)
    expect([configures, other.requests]).toEqual([1, []])
  })

  test('is not sent again by an operator without that context, or with a location without a context', async () => {
    writeKubeconfig('b', { b: other })
    const without = await apply('two')
    expect([without.exitCode, without.err]).toEqual([74, expect.stringContaining('(context a)')])
    declare(`kubernetes:${namespace}`, lossy.url)
    const unnamed = await apply('two')
    expect([unnamed.exitCode, unnamed.err]).toEqual([74, expect.stringContaining('CONTEXT/NAMESPACE')])
    expect([configures, other.requests]).toEqual([1, []])
  })

  test('is not sent again from this machine with another cluster under that name, and the message has the address', async () => {
    writeKubeconfig('a', { a: other })
    const { exitCode, err } = await apply('one')
    expect([exitCode, configures]).toEqual([78, 1])
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`kubernetes:a/${namespace} (${server.url})`)
  })
})
