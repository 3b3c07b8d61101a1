import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import type { Route } from '../client/route.js'
import { rememberTrust } from '../client/trust.js'
import { isLoopback } from '../manifest/site-url.js'
import type { Result } from '../result.js'
import { type KubernetesAnswer, type KubernetesRequest, kubernetesStore } from '../state/kubernetes-store.js'
import { objectBackend } from '../state/object-backend.js'
import type { StateBackend } from '../state/series.js'
import type { KubernetesCause, KubernetesReason } from '../state/state-failure.js'
import { describeProgramDefect, runCredentialProgram } from './credential-program.js'
import { classifyStoreFailure, findStoreRoute, sendToStore } from './reach-store.js'
import { readLimited } from './read-files.js'
import { systemClock } from './system-ports.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Opens state in a namespace, with the credentials of the pod or of a kubeconfig. Nothing is sent until it is used. */
export function openKubernetes(
  namespace: string,
  environment: Environment,
  podFolder?: string,
): StateBackend {
  const trustIn = rememberTrust()
  const plugins = createPlugins(environment)
  const sendWith = async (
    request: KubernetesRequest,
  ): Promise<Result<KubernetesAnswer, KubernetesReason>> => {
    const access = await findKubernetesAccess({ environment, plugins, podFolder })
    if (!access.ok) return access
    const route = findRoute(access.value, environment, trustIn)
    if (!route.ok) return route
    return sendOnce(request, access.value, route.value)
  }
  const send = async (request: KubernetesRequest) => {
    const reply = await sendWith(request)
    // Credentials of a program may end before they say so; a rejected request was not carried out.
    return reply.ok && reply.value.status === 401 && plugins.forget() ? sendWith(request) : reply
  }
  const pause = (milliseconds: number) => systemClock.sleep(milliseconds, new AbortController().signal)
  return objectBackend(`kubernetes:${namespace}`, kubernetesStore(namespace, send), pause)
}

async function sendOnce(
  { method, path, accept, body }: KubernetesRequest,
  { url, token }: KubernetesAccess,
  route: Route,
): Promise<Result<KubernetesAnswer, KubernetesReason>> {
  const contentType = 'application/json'
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const headers = {
    accept,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(bytes !== undefined && { 'content-type': contentType, 'content-length': `${bytes.byteLength}` }),
  }
  const request = { method, url, path, headers, ...(bytes !== undefined && { body: { contentType, bytes } }) }
  const reply = await sendToStore(request, route)
  return reply.ok ? reply : { ok: false, error: { kind: 'kubernetes', ...classifyStoreFailure(reply.error) } }
}

function findRoute(
  { url, authorities, client }: KubernetesAccess,
  environment: Environment,
  trustIn: ReturnType<typeof rememberTrust>,
): Result<Route, KubernetesReason> {
  const route = findStoreRoute(url, environment)
  if (route === undefined) return { ok: false, error: { kind: 'kubernetes', cause: 'proxy-unusable' } }
  try {
    const trust = trustIn({ ...(authorities && { authorities }), ...(client && { client }) })
    return { ok: true, value: { ...route, trust } }
  } catch {
    return { ok: false, error: { kind: 'kubernetes', cause: 'invalid-kubeconfig', said: 'certificate' } }
  }
}

/** The address of an API server, and the credentials for it. */
interface KubernetesAccess {
  readonly url: string
  readonly authorities?: Buffer
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
  readonly token?: string
}

type AccessReply = Result<KubernetesAccess, KubernetesReason>

/** The folder in a pod with its token and the authority of its cluster. */
/** Far more than a kubeconfig or a token. */
const maxBytes = 4 * 1024 * 1024

const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Finds the cluster of `KUBECONFIG`, of the pod, or of `~/.kube/config`. Reads the files each time, because the token of a
 * pod is renewed.
 */
async function findKubernetesAccess({
  environment,
  plugins,
  podFolder: folder = podFolder,
}: AccessOptions): Promise<AccessReply> {
  const { KUBECONFIG, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, HOME } = environment
  if (KUBECONFIG) return readKubeconfig(KUBECONFIG, plugins)
  if (host && port) return readPodAccess(host, port, folder)
  if (!HOME) return failed('no-cluster')
  const file = join(HOME, '.kube', 'config')
  return readBytes(file) === undefined ? failed('no-cluster') : readKubeconfig(file, plugins)
}

async function readPodAccess(host: string, port: string, folder: string): Promise<AccessReply> {
  const [token, authorities] = [readBytes(join(folder, 'token')), readBytes(join(folder, 'ca.crt'))]
  if (token === undefined || authorities === undefined) return failed('no-cluster', folder)
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

async function readKubeconfig(file: string, plugins: CredentialPlugins): Promise<AccessReply> {
  const bytes = readBytes(file)
  if (bytes === undefined) return failed('invalid-kubeconfig', 'not readable')
  const config = parseYaml(bytes.toString('utf8'))
  const context = findNamed(config, 'contexts', 'context', config?.['current-context'])
  const cluster = findNamed(config, 'clusters', 'cluster', context?.['cluster'])
  const user = findNamed(config, 'users', 'user', context?.['user'])
  if (cluster === undefined || user === undefined) return failed('invalid-kubeconfig', 'current-context')
  const found = unsupported.cluster.find(name => cluster[name]) ?? unsupported.user.find(name => user[name])
  if (found !== undefined) return failed('unsupported-kubeconfig', found)
  const url = textIn(cluster, 'server') ?? ''
  if (!isAllowed(url)) return failed('invalid-kubeconfig', 'server')
  const material = (part: Fields, name: string) => readMaterial(part, name, dirname(resolve(file)))
  const authorities = await material(cluster, 'certificate-authority')
  const certificate = await material(user, 'client-certificate')
  const key = await material(user, 'client-key')
  const tokenFile = textIn(user, 'tokenFile')
  const token = tokenFile === undefined ? textIn(user, 'token') : readBytes(resolve(dirname(file), tokenFile))
  const missing = Object.entries({ authorities, certificate, key }).find(([, one]) => one === 'unreadable')
  if (missing !== undefined || (tokenFile !== undefined && token === undefined))
    return failed('invalid-kubeconfig', missing?.[0] ?? 'tokenFile')
  const own = {
    url: url.replace(/\/+$/, ''),
    ...(Buffer.isBuffer(authorities) && { authorities }),
    ...(Buffer.isBuffer(certificate) && Buffer.isBuffer(key) && { client: { certificate, key } }),
    ...(token !== undefined && { token: token.toString().trim() }),
  }
  const exec = toFields(user['exec'])
  // As kubectl does, the program is asked only where nothing else is named.
  if (exec === undefined || own.client !== undefined || own.token !== undefined)
    return { ok: true, value: own }
  const given = await plugins.find(exec, dirname(resolve(file)))
  return given.ok ? { ok: true, value: { ...own, ...given.value } } : given
}

interface AccessOptions {
  readonly environment: Environment
  readonly plugins: CredentialPlugins
  readonly podFolder?: string | undefined
}

type GivenCredentials = Pick<KubernetesAccess, 'token' | 'client'>

/** Runs the program of a kubeconfig's user, and keeps its credentials until they end. */
interface CredentialPlugins {
  find(exec: Fields, folder: string): Promise<Result<GivenCredentials, KubernetesReason>>
  /** Forgets credentials that the server rejected; false where there are none. */
  forget(): boolean
}

/** Credentials are renewed this long before they end, because clocks differ. */
const renewBeforeMs = 60_000

function createPlugins(environment: Environment): CredentialPlugins {
  let held: { readonly credentials: GivenCredentials; readonly untilMs: number } | undefined
  return {
    async find(exec, folder) {
      if (held !== undefined && systemClock.now() < held.untilMs - renewBeforeMs)
        return { ok: true, value: held.credentials }
      const program = textIn(exec, 'command')
      const apiVersion = textIn(exec, 'apiVersion')
      if (program === undefined || apiVersion === undefined) return failed('invalid-kubeconfig', 'exec')
      const named = listFields(exec['env']).map(one => [
        textIn(one, 'name') ?? '',
        textIn(one, 'value') ?? '',
      ])
      const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
      const printed = await runCredentialProgram({
        // A path starts from the folder of the kubeconfig, a name is looked up.
        program: program.includes('/') ? resolve(folder, program) : program,
        args: listTexts(exec['args']),
        environment: {
          ...environment,
          ...Object.fromEntries(named),
          KUBERNETES_EXEC_INFO: JSON.stringify(info),
        },
      })
      if (!printed.ok)
        return failed('no-plugin-credentials', `${program}: ${describeProgramDefect(printed.error)}`)
      const status = toFields(printed.value['status']) ?? {}
      const [token, certificate, key] = ['token', 'clientCertificateData', 'clientKeyData'].map(name =>
        textIn(status, name),
      )
      const isPair = certificate !== undefined && key !== undefined
      if (token === undefined && !isPair) return failed('no-plugin-credentials', `${program}: no-credentials`)
      const credentials = {
        ...(token !== undefined && { token: token.trim() }),
        ...(isPair && { client: { certificate: Buffer.from(certificate), key: Buffer.from(key) } }),
      }
      const untilMs = Date.parse(textIn(status, 'expirationTimestamp') ?? '')
      held = { credentials, untilMs: Number.isNaN(untilMs) ? Number.POSITIVE_INFINITY : untilMs }
      return { ok: true, value: credentials }
    },
    forget() {
      const had = held !== undefined
      held = undefined
      return had
    },
  }
}

function listFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(toFields).filter(one => one !== undefined) : []
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

type Fields = Readonly<Record<string, unknown>>

function parseYaml(text: string): Fields | undefined {
  try {
    return toFields(parse(text, { maxAliasCount: 0, logLevel: 'silent' }))
  } catch {
    return undefined
  }
}

function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined
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

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads PEM from the file itself, or from the file that it names. */
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

/** Allows TLS, and plain HTTP to this machine, where `kubectl proxy` listens. */
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

function failed(cause: KubernetesCause, said?: string): Result<never, KubernetesReason> {
  return { ok: false, error: { kind: 'kubernetes', cause, ...(said !== undefined && { said }) } }
}
