import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { namespace } from '../api-server.js'
import { anAuthority } from '../certificate.js'
import { freePort } from '../http-double.js'
import { kubeconfig } from '../kubernetes-place.js'
import { root } from '../manifests.js'
import { runProgram } from '../program.js'
import { ask, type Question } from './ask.js'
import { findProgram, isExecutable, type Service, startService } from './service.js'

/** The programs that a Kubernetes API server requires. */
export const kubernetesPackages =
  'kube-apiserver and etcd: on the path, or name the first in LANDFORM_KUBE_APISERVER, with etcd beside it'

interface Programs {
  readonly apiServer: string
  readonly etcd: string
}

/** Finds the programs; `undefined` if one is missing. */
export async function findKubernetes(): Promise<Programs | undefined> {
  const apiServer = process.env['LANDFORM_KUBE_APISERVER'] || (await findProgram('kube-apiserver'))
  if (apiServer === undefined || !(await isExecutable(apiServer))) return undefined
  const beside = join(dirname(apiServer), 'etcd')
  const etcd = (await isExecutable(beside)) ? beside : await findProgram('etcd')
  return etcd === undefined ? undefined : { apiServer, etcd }
}

/** A Kubernetes API server on loopback. */
export interface RealKubernetes {
  readonly version: string
  readonly url: string
  readonly ca: string
  /** The token of the account that `makeAccount` creates. */
  readonly token: string
  readonly administrator: string
  /** Writes a kubeconfig with a token. Default: that of the account. Returns its path. */
  kubeconfig(folder: string, token?: string): Promise<string>
  /** Sends a request as the administrator. */
  ask(path: string, question?: Question): ReturnType<typeof ask>
  /** Removes old revisions from the database, which invalidates the pages of earlier listings. */
  compact(): Promise<void>
  /** Stops the server's database. The returned function starts it again. */
  stopDatabase(): Promise<() => Promise<void>>
  /** Restarts the server with other settings, at the same port. */
  restart(...settings: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** The namespace of state. That of the doubles is for recording. */
export const stateNamespace = 'runs'

const token = 'token-of-landform'
const administrator = 'token-of-the-administrator'

/** Starts a server, with its files in a folder. Takes some seconds. */
export async function realKubernetes(
  { apiServer, etcd }: Programs,
  folder: string,
  ...settings: readonly string[]
): Promise<RealKubernetes> {
  await mkdir(folder, { recursive: true })
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()]
  const authority = await writeCredentials(folder)
  const url = `https://127.0.0.1:${port}`
  const askAt = (path: string, question: Question = {}) =>
    ask(`${url}${path}`, {
      ca: authority,
      ...question,
      headers: { authorization: `Bearer ${administrator}`, 'user-agent': 'test', ...question.headers },
    })
  const startDatabase = () =>
    startService('etcd', [etcd, ...databaseWords(folder, etcdPort, peerPort)], {
      folder,
      isReady: async () => (await ask(`http://127.0.0.1:${etcdPort}/health`)).status === 200,
    })
  const startServer = (settings: readonly string[]) =>
    startService('kube-apiserver', [apiServer, ...serverWords(folder, port, etcdPort), ...settings], {
      folder,
      isReady: async () => (await askAt('/readyz')).status === 200,
    })
  let database: Service = await startDatabase()
  let server: Service = await startServer(settings)
  return {
    version: await readVersion(askAt),
    url,
    ca: authority,
    token,
    administrator,
    kubeconfig: (at, own = token) =>
      kubeconfig(at, { url, token: own }, { cluster: { 'certificate-authority': join(folder, 'ca.crt') } }),
    ask: askAt,
    async compact() {
      const at = `http://127.0.0.1:${etcdPort}/v3/kv`
      const { header } = JSON.parse((await post(`${at}/range`, { key: 'AA==' })).body)
      await post(`${at}/compaction`, { revision: header.revision })
    },
    async stopDatabase() {
      await database.stop()
      return async () => {
        database = await startDatabase()
      }
    },
    async restart(...settings) {
      await server.stop()
      server = await startServer(settings)
    },
    async stop() {
      await server.stop()
      await database.stop()
    },
  }
}

const post = (url: string, body: object) => ask(url, { method: 'POST', body: JSON.stringify(body) })

/** Writes the certificates, the tokens and the key of service accounts. Returns the certificate of the authority. */
async function writeCredentials(folder: string): Promise<string> {
  const authority = anAuthority('the cluster', { isAuthority: true })
  const own = authority.issue('127.0.0.1', { names: ['127.0.0.1', 'kubernetes.default.svc'] })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const files = {
    'ca.crt': authority.cert,
    'server.crt': own.cert,
    'server.key': own.key,
    'accounts.key': privateKey.export({ type: 'pkcs1', format: 'pem' }),
    'tokens.csv': `${administrator},administrator,1,system:masters\n${token},landform,2\n`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
  return authority.cert
}

function databaseWords(folder: string, port: number, peer: number): readonly string[] {
  const [at, peerAt] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`]
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${at}`,
    `--advertise-client-urls=${at}`,
    `--listen-peer-urls=${peerAt}`,
    `--initial-advertise-peer-urls=${peerAt}`,
    `--initial-cluster=default=${peerAt}`,
  ]
}

function serverWords(folder: string, port: number, etcdPort: number): readonly string[] {
  const key = join(folder, 'accounts.key')
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${join(folder, 'server.crt')}`,
    `--tls-private-key-file=${join(folder, 'server.key')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    `--cert-dir=${folder}`,
  ]
}

/** Creates an object as the administrator. Returns it as stored. */
export async function makeObject(
  askAt: RealKubernetes['ask'],
  path: string,
  object: object,
): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const { status, body } = await askAt(path, { method: 'POST', headers, body: JSON.stringify(object) })
  if (status !== 201) throw new Error(body)
  return JSON.parse(body)
}

/** Creates the namespaces, and grants the account the Role of `examples/kubernetes/state` in them. */
export async function makeAccount(askAt: RealKubernetes['ask']): Promise<void> {
  const make = (path: string, object: object) => makeObject(askAt, path, object)
  const example = async (name: string) =>
    parse(await readFile(join(root, 'examples', 'kubernetes', 'state', name), 'utf8')) as object
  const subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'landform' }
  for (const name of [namespace, stateNamespace, 'forbidden', 'full', 'ending'])
    await make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const name of [namespace, stateNamespace, 'full', 'ending']) {
    const at = `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}`
    await make(`${at}/roles`, await example('role.yaml'))
    await make(`${at}/rolebindings`, { ...(await example('role-binding.yaml')), subjects: [subject] })
  }
}

/** Reads the version. A build from source reports none; then returns that of Debian's package. */
async function readVersion(askAt: RealKubernetes['ask']): Promise<string> {
  const { gitVersion } = JSON.parse((await askAt('/version')).body) as { readonly gitVersion: string }
  if (!gitVersion.startsWith('v0.0.0')) return gitVersion.replace(/^v/, '')
  const { stdout } = await runProgram('apt-cache', ['policy', 'kubernetes-client'])
  return /Candidate: \S*?([\d.]+)-\S+/.exec(stdout)?.[1] ?? 'unknown'
}
