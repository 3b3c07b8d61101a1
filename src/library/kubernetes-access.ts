import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { isLoopback } from '../manifest/site-url.js'
import type { Result } from '../result.js'
import { failKubernetes } from '../state/kubernetes-store.js'
import type { KubernetesReason } from '../state/state-failure.js'
import type { CredentialPlugin, KubernetesCredentials } from './kubernetes-plugin.js'
import { readLimited } from './read-files.js'
import { type Fields, textIn, toFields } from './unchecked-fields.js'

/** The address of an API server, and the credentials for it. */
export interface KubernetesAccess extends KubernetesCredentials {
  readonly url: string
  readonly authorities?: Buffer
}

interface AccessOptions {
  /** The context of the kubeconfig; absent for the cluster of the pod. */
  readonly context?: string | undefined
  /** The result of an earlier call. Its server and authorities are kept; only the credentials are read again. */
  readonly bound?: KubernetesAccess | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly plugin: CredentialPlugin
  readonly podFolder?: string | undefined
}

type AccessReply = Result<KubernetesAccess, KubernetesReason>

/** Far larger than a kubeconfig or a token. */
const maxBytes = 4 * 1024 * 1024

/** The folder in a pod with its token and the authority of its cluster. */
const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Finds the cluster of a context, in the file of `KUBECONFIG` or in `~/.kube/config`, or the cluster of the pod. Called
 * for each request, because tokens are renewed. A file that changed in between never leads to another server.
 */
export async function findKubernetesAccess(options: AccessOptions): Promise<AccessReply> {
  const { context, environment, podFolder: folder = podFolder, bound } = options
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, HOME } = environment
  const find = () => {
    if (context !== undefined)
      return readKubeconfig(KUBECONFIG || join(HOME ?? '', '.kube', 'config'), { ...options, context })
    return host && port ? readPodAccess(host, port, folder) : failKubernetes('no-cluster')
  }
  const found = await find()
  if (!found.ok || bound === undefined) return found
  const { authorities: _, ...credentials } = found.value
  return { ok: true, value: { ...credentials, ...(bound.authorities && { authorities: bound.authorities }) } }
}

async function readPodAccess(host: string, port: string, folder: string): Promise<AccessReply> {
  const [token, authorities] = [readBytes(join(folder, 'token')), readBytes(join(folder, 'ca.crt'))]
  if (token === undefined || authorities === undefined) return failKubernetes('no-cluster', folder)
  const name = host.includes(':') ? `[${host}]` : host
  return {
    ok: true,
    value: { url: `https://${name}:${port}`, authorities, token: token.toString('utf8').trim() },
  }
}

/** The fields that weaken or change TLS, or send a password. */
const unsupported = {
  cluster: ['insecure-skip-tls-verify', 'proxy-url', 'tls-server-name'],
  user: ['auth-provider', 'username', 'password', 'as'],
}

async function readKubeconfig(
  file: string,
  { context: name, plugin, bound }: AccessOptions & { readonly context: string },
): Promise<AccessReply> {
  const bytes = readBytes(file)
  if (bytes === undefined) return failKubernetes('invalid-kubeconfig', 'not readable')
  const config = parseYaml(bytes.toString('utf8'))
  const context = findNamed(config, 'contexts', 'context', name)
  const cluster = findNamed(config, 'clusters', 'cluster', context?.['cluster'])
  const user = findNamed(config, 'users', 'user', context?.['user'])
  if (cluster === undefined || user === undefined)
    return failKubernetes('invalid-kubeconfig', `context ${name}`)
  const found = unsupported.cluster.find(name => cluster[name]) ?? unsupported.user.find(name => user[name])
  if (found !== undefined) return failKubernetes('unsupported-kubeconfig', found)
  const url = textIn(cluster, 'server') ?? ''
  if (!isAllowed(url)) return failKubernetes('invalid-kubeconfig', 'server')
  const server = url.replace(/\/+$/, '')
  // The credentials in the file may now be for the other server.
  if (bound !== undefined && bound.url !== server) return { ok: true, value: bound }
  const material = (part: Fields, name: string) => readMaterial(part, name, dirname(resolve(file)))
  const authorities = await material(cluster, 'certificate-authority')
  const certificate = await material(user, 'client-certificate')
  const key = await material(user, 'client-key')
  const tokenFile = textIn(user, 'tokenFile')
  const token = tokenFile === undefined ? textIn(user, 'token') : readBytes(resolve(dirname(file), tokenFile))
  const missing = Object.entries({ authorities, certificate, key }).find(([, one]) => one === 'unreadable')
  if (missing !== undefined || (tokenFile !== undefined && token === undefined))
    return failKubernetes('invalid-kubeconfig', missing?.[0] ?? 'tokenFile')
  const own = {
    url: server,
    ...(Buffer.isBuffer(authorities) && { authorities }),
    ...(Buffer.isBuffer(certificate) && Buffer.isBuffer(key) && { client: { certificate, key } }),
    ...(token !== undefined && { token: token.toString().trim() }),
  }
  const exec = toFields(user['exec'])
  // As in kubectl, the program runs only if the user has no other credentials.
  if (exec === undefined || own.client !== undefined || own.token !== undefined)
    return { ok: true, value: own }
  const given = await plugin.find(exec, dirname(resolve(file)))
  return given.ok ? { ok: true, value: { ...own, ...given.value } } : given
}

function parseYaml(text: string): Fields | undefined {
  try {
    return toFields(parse(text, { maxAliasCount: 0, logLevel: 'silent' }))
  } catch {
    return undefined
  }
}

function findNamed(
  config: Fields | undefined,
  list: string,
  part: string,
  name: unknown,
): Fields | undefined {
  const entries = config?.[list]
  if (!Array.isArray(entries) || typeof name !== 'string') return undefined
  return toFields(toFields(entries.find((entry: unknown) => toFields(entry)?.['name'] === name))?.[part])
}

/** Reads PEM that the kubeconfig embeds, or the file that it names. */
async function readMaterial(
  part: Fields,
  name: string,
  folder: string,
): Promise<Buffer | 'unreadable' | undefined> {
  const data = textIn(part, `${name}-data`)
  if (data !== undefined) return Buffer.from(data, 'base64')
  const file = textIn(part, name)
  return file === undefined ? undefined : (readBytes(resolve(folder, file)) ?? 'unreadable')
}

/** True for TLS, and for plain HTTP to this machine, where `kubectl proxy` listens. */
function isAllowed(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if ([username, password, search, hash].some(part => part !== '')) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function readBytes(file: string): Buffer | undefined {
  const read = readLimited(file, { maxBytes })
  return read.ok ? read.value : undefined
}
