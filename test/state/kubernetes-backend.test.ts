import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openKubernetes } from '../../src/library/open-kubernetes.js'
import { describeStateReason } from '../../src/report/state-reasons.js'
import { type ApiServer, type ApiServerFaults, apiServer, namespace } from '../support/api-server.js'
import { anAuthority, type CertificateWishes } from '../support/certificate.js'
import { kubeconfig, kubernetesPlace } from '../support/kubernetes-place.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const site = 'https://gis.example.org/arcgis/admin'
const here = { kind: 'kubernetes', namespace } as const
const first = { serial: 1, text: '{"n":1}' }
const second = { serial: 2, text: '{"n":2}' }
const made = { ok: true, value: true }
const failure = (kind: string, cause: string | number) => ({
  ok: false,
  error: { kind, reason: { kind: 'kubernetes', cause } },
})

const servers: ApiServer[] = []
let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  await removeTemporaryFolders()
})

async function serve(faults: ApiServerFaults = {}, tls?: Parameters<typeof apiServer>[1]) {
  const server = await apiServer(faults, tls)
  servers.push(server)
  const config = await kubeconfig(folder, server)
  return { server, open: (place?: string) => kubernetesPlace(config, place) }
}

describe('an API server', () => {
  test('has an immutable Secret for each version, without an owner, and receives only create, get and list', async () => {
    const { server, open } = await serve()
    const series = open().series(site)
    expect(await series.add(first)).toEqual(made)
    expect(await series.add(second)).toEqual(made)
    expect([...server.secrets.keys()]).toEqual([
      'landform-state-probe',
      expect.stringMatching(/^landform-gis-example-org-[0-9a-f]{12}-000001$/),
      expect.stringMatching(/^landform-gis-example-org-[0-9a-f]{12}-000002$/),
    ])
    for (const secret of server.secrets.values()) {
      expect(secret).toMatchObject({ immutable: true })
      expect(secret.metadata).not.toHaveProperty('ownerReferences')
    }
    expect(server.requests.filter(line => !/^(?:GET|POST) /.test(line))).toEqual([])
  })

  test('is not trusted if a version is missing', async () => {
    const { server, open } = await serve()
    const series = open().series(site)
    for (const serial of [1, 2, 3]) await series.add({ serial, text: `${serial}` })
    const remove = (serial: number) => {
      for (const name of server.secrets.keys())
        if (name.endsWith(`-00000${serial}`)) server.secrets.delete(name)
    }
    remove(3)
    expect(await series.newest()).toMatchObject({ ok: false, error: { kind: 'damaged' } })
    remove(1)
    expect(await open().series(site).all()).toMatchObject({ ok: false, error: { kind: 'damaged' } })
  })

  test('is not trusted if the versions begin with a later one, and gets none after a missing one', async () => {
    const { server, open } = await serve()
    const series = open().series(site)
    for (const serial of [1, 2, 3, 4]) await series.add({ serial, text: `${serial}` })
    // As on another server that receives the requests.
    for (const name of [...server.secrets.keys()].slice(1)) server.secrets.delete(name)
    const before = server.requests.length
    const missing = (serial: number) => ({ reason: { kind: 'missing-version', serial } })
    const added = await series.add({ serial: 5, text: '5' })
    expect(added).toMatchObject({ ok: false, error: missing(4) })
    expect(server.requests.slice(before).filter(line => line.startsWith('POST'))).toEqual([])
    const name =
      server.requests
        .findLast(line => line.endsWith('-000004'))
        ?.split('/')
        .at(-1) ?? ''
    const [probe] = server.secrets.values()
    if (probe === undefined) throw new Error('nothing was written')
    const labels = { 'landform-state': name.slice(-19, -7) }
    server.secrets.set(name, { ...probe, metadata: { name, labels } })
    expect(await open().series(site).newest()).toMatchObject({ ok: false, error: missing(1) })
  })

  test.each([
    { recorded: 'too many requests' },
    { recorded: 'a page that expired' },
    { recorded: 'a listing without the database' },
    { status: 500, reason: 'InternalError' },
    { status: 503, reason: 'ServiceUnavailable' },
  ])('may be busy for a moment, with %j', async answer => {
    const { open } = await serve({ answers: { ...answer, times: 1 } })
    expect(await open().series(site).newest()).toEqual({ ok: true, value: undefined })
  })

  test('may deny access for a moment to a run that had it, as a restarting server does', async () => {
    const { server, open } = await serve()
    const series = open().series(site)
    expect(await series.add(first)).toEqual(made)
    server.faults.answers = { recorded: 'a new version that is forbidden', times: 2 }
    expect(await series.add(second)).toEqual(made)
  })

  test.each([
    ['a new version in a namespace that does not exist', 'no-namespace'],
    ['a new version in a namespace that is being deleted', 'access-denied'],
    ['a new version beyond the quota', 'access-denied'],
    ['a request that is too large', 'too-large'],
  ])('is understood if it rejects %s', async (recorded, cause) => {
    const { open } = await serve({ answers: { recorded, times: 1 } })
    expect(await open().series(site).add(first)).toMatchObject(failure('unwritable', cause))
  })

  test('is not trusted if it has a version that is being deleted', async () => {
    const { server, open } = await serve()
    const place = open()
    expect(await place.series(site).add(first)).toEqual(made)
    server.faults.answers = { recorded: 'a version that is being deleted', times: 1 }
    expect(await place.series(`${site}/other`).add(first)).toMatchObject(failure('unwritable', 'lost-write'))
  })

  test.each<[number, string | undefined, string | number]>([
    [403, 'Forbidden', 'access-denied'],
    [404, undefined, 'not-kubernetes'],
    [200, undefined, 'not-kubernetes'],
  ])('that responds with %d %s does not count as an empty one', async (status, reason, cause) => {
    const { server, open } = await serve({ answers: { status, ...(reason && { reason }), times: 1 } })
    const reply = await open().series(site).newest()
    expect(reply).toMatchObject(failure('unreadable', cause))
    expect(reply.ok ? '' : describeStateReason(reply.error.reason)).not.toContain(server.token)
  })

  test('reports a namespace that does not exist, one without access, and a state that is too large', async () => {
    const { open } = await serve()
    // With a Role for one namespace, a user cannot see which others exist.
    expect(await open('other').series(site).add(first)).toMatchObject(failure('unwritable', 'access-denied'))
    expect(await open('forbidden').series(site).newest()).toMatchObject(
      failure('unreadable', 'access-denied'),
    )
    const large = { serial: 1, text: 'x'.repeat(1_100_000) }
    expect(await open().series(site).add(large)).toMatchObject(failure('unwritable', 'too-large'))
  })
})

test('a 404 of a gateway does not mean that a Secret is missing', async () => {
  const { server, open } = await serve()
  const series = open().series(site)
  expect(await series.add(first)).toEqual(made)
  server.faults.answers = { status: 404, times: 1 }
  expect(await series.newest()).toMatchObject(failure('unreadable', 'not-kubernetes'))
})

describe('the connection to a cluster', () => {
  test('is that of the pod, whose token is read each time', async () => {
    const authority = anAuthority('the cluster')
    const { cert, key } = authority.issue('127.0.0.1', { names: ['127.0.0.1'] })
    const { server } = await serve({}, { cert, key })
    await writeFile(join(folder, 'ca.crt'), authority.cert)
    await writeFile(join(folder, 'token'), 'former')
    const { hostname, port } = new URL(server.url)
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
    const series = openKubernetes(here, environment, folder).series(site)
    expect(await series.newest()).toMatchObject(failure('unreadable', 'wrong-credentials'))
    await writeFile(join(folder, 'token'), `${server.token}\n`)
    expect(await series.add(first)).toEqual(made)
    await writeFile(join(folder, 'ca.crt'), anAuthority('another').cert)
    expect(await series.newest()).toEqual({ ok: true, value: first })
    expect(await openKubernetes(here, environment, folder).series(site).newest()).toMatchObject(
      failure('unreadable', 'untrusted-certificate'),
    )
  })

  test.each<[string, CertificateWishes, string]>([
    [
      'that has expired',
      { until: '210101000000Z' },
      'has expired: valid from 2020-01-01T00:00:00Z to 2021-01-01T00:00:00Z (',
    ],
    ['for another host', { names: ['10.0.0.1'] }, 'is for another host name: `10.0.0.1` ('],
  ])('is rejected with a certificate %s, for its reason', async (_, wishes, words) => {
    const authority = anAuthority('the cluster')
    const { cert, key } = authority.issue('the API server', { names: ['127.0.0.1'], ...wishes })
    const { server } = await serve({}, { cert, key })
    const data = { 'certificate-authority-data': Buffer.from(authority.cert).toString('base64') }
    const config = await kubeconfig(folder, server, { cluster: data })
    const reply = await kubernetesPlace(config).series(site).newest()
    expect(reply).toMatchObject(failure('unreadable', 'untrusted-certificate'))
    expect(reply.ok ? '' : describeStateReason(reply.error.reason)).toContain(words)
  })

  test('is that of a kubeconfig, with data in it or in files next to it', async () => {
    const authority = anAuthority('the cluster')
    const { cert, key } = authority.issue('127.0.0.1', { names: ['127.0.0.1'] })
    const { server } = await serve({}, { cert, key })
    const data = { 'certificate-authority-data': Buffer.from(authority.cert).toString('base64') }
    const inside = await kubeconfig(folder, server, { cluster: data })
    expect(await kubernetesPlace(inside).series(site).add(first)).toEqual(made)
    await writeFile(join(dirname(inside), 'ca.pem'), authority.cert)
    await writeFile(join(dirname(inside), 'token'), server.token)
    const beside = { cluster: { 'certificate-authority': 'ca.pem' }, user: { tokenFile: 'token' } }
    expect(
      await kubernetesPlace(await kubeconfig(folder, server, beside))
        .series(site)
        .newest(),
    ).toEqual({
      ok: true,
      value: first,
    })
  })

  test('stays the same for a backend, even if the kubeconfig changes; only its credentials are read again', async () => {
    const [{ server: other }, { server, open }] = [await serve(), await serve()]
    const former = await kubeconfig(folder, server, { user: { token: 'former' } })
    const series = open().series(site)
    expect(await series.newest()).toMatchObject(failure('unreadable', 'wrong-credentials'))
    await kubeconfig(folder, server)
    expect(await series.add(first)).toEqual(made)
    const sent = other.requests.length
    await kubeconfig(folder, { url: other.url, token: 'of-the-other' })
    expect(await series.add(second)).toEqual(made)
    expect(await series.all()).toEqual({ ok: true, value: [first, second] })
    expect([other.requests.length - sent, other.secrets.size]).toEqual([0, 0])
    expect(await kubernetesPlace(former).series(site).newest()).toMatchObject(
      failure('unreadable', 'wrong-credentials'),
    )
    expect(other.requests.length - sent).toBe(1)
  })

  test('sends a client certificate', async () => {
    const authority = anAuthority('the cluster')
    const { cert, key } = authority.issue('127.0.0.1', { names: ['127.0.0.1'] })
    const tls = { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true }
    const { server } = await serve({}, tls)
    const me = authority.issue('me')
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const cluster = { 'certificate-authority-data': encode(authority.cert) }
    const { token } = server
    const user = { token, 'client-certificate-data': encode(me.cert), 'client-key-data': encode(me.key) }
    const config = await kubeconfig(folder, server, { cluster, user })
    expect(await kubernetesPlace(config).series(site).add(first)).toEqual(made)
  })

  test.each<[string, object, string, string]>([
    ['a program without a version', { user: { exec: { command: 'touch' } } }, 'invalid-kubeconfig', 'exec'],
    ['a password', { user: { username: 'me', password: 'secret' } }, 'unsupported-kubeconfig', 'username'],
    [
      'no verification of TLS',
      { cluster: { 'insecure-skip-tls-verify': true } },
      'unsupported-kubeconfig',
      'insecure',
    ],
    [
      'plain http to another machine',
      { cluster: { server: 'http://10.0.0.1' } },
      'invalid-kubeconfig',
      'server',
    ],
    ['a missing file', { cluster: { 'certificate-authority': 'gone' } }, 'invalid-kubeconfig', 'authorities'],
    [
      'an invalid certificate',
      {
        cluster: { 'certificate-authority-data': 'eA==' },
        user: { 'client-certificate-data': 'eA==', 'client-key-data': 'eA==' },
      },
      'invalid-kubeconfig',
      'certificate',
    ],
  ])('is rejected with %s, before anything is sent', async (_what, changes, cause, said) => {
    const { server } = await serve()
    const reply = await kubernetesPlace(await kubeconfig(folder, server, changes))
      .series(site)
      .newest()
    expect(reply).toMatchObject(failure('unreadable', cause))
    expect(reply.ok ? '' : describeStateReason(reply.error.reason)).toContain(`(${said}`)
    expect(server.requests).toEqual([])
  })

  describe('with a credential program in the kubeconfig', () => {
    /** A program that prints these credentials, and records how it was run. */
    async function plugin(printed: unknown, exitCode = 0) {
      const file = join(folder, 'kube', 'get-token')
      await mkdir(join(folder, 'kube'), { recursive: true })
      await writeFile(join(folder, 'printed'), JSON.stringify(printed))
      const script = `#!/bin/sh\necho "$* $REGION $LANDFORM_ADMIN_PASSWORD $KUBERNETES_EXEC_INFO" >> ${folder}/calls\ncat ${folder}/printed\nexit ${exitCode}\n`
      await writeFile(file, script, { mode: 0o700 })
      const { server } = await serve()
      const exec = {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: './get-token',
        args: ['--cluster', 'one'],
        env: [{ name: 'REGION', value: 'eu-1' }],
      }
      const config = await kubeconfig(folder, server, { user: { exec } })
      const environment = { KUBECONFIG: config, PATH: process.env['PATH'], LANDFORM_ADMIN_PASSWORD: 'canary' }
      const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n')
      return { server, series: openKubernetes({ ...here, context: 'test' }, environment).series(site), calls }
    }
    const credentials = (token: string, expirationTimestamp?: string) => ({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token, ...(expirationTimestamp && { expirationTimestamp }) },
    })

    test('uses its token until it expires, and passes no secret of the site to it', async () => {
      const { series, calls } = await plugin(credentials('token-of-a-pod', '2999-01-01T00:00:00Z'))
      expect(await series.add(first)).toEqual(made)
      expect(await series.newest()).toEqual({ ok: true, value: first })
      const [call, ...more] = await calls()
      expect(more).toEqual([])
      expect(call).toMatch(/^--cluster one eu-1 {2}\{"apiVersion":"client\.authentication\.k8s\.io\/v1"/)
      expect(call).not.toContain('canary')
    })

    test('runs it again once the token has expired', async () => {
      const { series, calls } = await plugin(credentials('token-of-a-pod', '2001-01-01T00:00:00Z'))
      expect(await series.newest()).toEqual({ ok: true, value: undefined })
      expect(await series.newest()).toEqual({ ok: true, value: undefined })
      expect((await calls()).length).toBeGreaterThan(1)
    })

    test('runs it only once more if the server rejects the token', async () => {
      const { series, calls } = await plugin(credentials('former'))
      expect(await series.newest()).toMatchObject(failure('unreadable', 'wrong-credentials'))
      expect(await calls()).toHaveLength(2)
    })

    test.each([
      [{ status: {} }, 0, 'no-credentials'],
      ['no object', 0, 'not-json'],
      [credentials('token-of-a-pod'), 3, 'exit code 3'],
    ])('reports why it printed none: %j, %d', async (printed, exitCode, said) => {
      const { series, server } = await plugin(printed, exitCode)
      const reply = await series.newest()
      expect(reply).toMatchObject(failure('unreadable', 'no-plugin-credentials'))
      expect(reply.ok ? '' : describeStateReason(reply.error.reason)).toContain(`(./get-token: ${said})`)
      expect(server.requests).toEqual([])
    })

    test('reports that it is not installed', async () => {
      const { server } = await serve()
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-program' }
      const config = await kubeconfig(folder, server, { user: { exec } })
      const reply = await kubernetesPlace(config).series(site).newest()
      expect(reply.ok ? '' : describeStateReason(reply.error.reason)).toContain('no-such-program: not-found')
    })
  })

  test.each(['', 'a: [', '- x', 'current-context: x', 'a: &a [*a]'])('is not found in %j', async text => {
    const file = join(folder, 'config')
    await writeFile(file, text)
    expect(await kubernetesPlace(file).series(site).newest()).toMatchObject(
      failure('unreadable', 'invalid-kubeconfig'),
    )
  })

  test('is not found outside a pod without a context, even if a kubeconfig has a current one', async () => {
    const { server } = await serve()
    const config = await kubeconfig(folder, server)
    for (const environment of [
      {},
      { HOME: folder },
      { KUBECONFIG: config },
      { KUBERNETES_SERVICE_HOST: 'x', KUBERNETES_SERVICE_PORT: '1' },
    ])
      expect(await openKubernetes(here, environment, folder).series(site).newest()).toMatchObject(
        failure('unreadable', 'no-cluster'),
      )
    expect(server.requests).toEqual([])
  })
})
