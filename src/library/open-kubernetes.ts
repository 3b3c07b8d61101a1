import type { Route } from '../client/route.js'
import { rememberTrust } from '../client/trust.js'
import { formatLocation, type KubernetesLocation } from '../manifest/state-location.js'
import type { Result } from '../result.js'
import {
  failKubernetes,
  type KubernetesAnswer,
  type KubernetesRequest,
  kubernetesStore,
} from '../state/kubernetes-store.js'
import { objectBackend } from '../state/object-backend.js'
import type { StateBackend } from '../state/series.js'
import type { KubernetesReason } from '../state/state-failure.js'
import { findKubernetesAccess, type KubernetesAccess } from './kubernetes-access.js'
import { createCredentialPlugin } from './kubernetes-plugin.js'
import { classifyStoreFailure, findStoreRoute, sendToStore } from './reach-store.js'
import { pause } from './system-ports.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Opens state in a namespace, with the credentials of the pod or of a context. Sends nothing until it is used. */
export function openKubernetes(
  location: KubernetesLocation,
  environment: Environment,
  podFolder?: string,
): StateBackend {
  const { context, namespace } = location
  let bound: KubernetesAccess | undefined
  const trustIn = rememberTrust()
  const plugin = createCredentialPlugin(environment)
  const findAccess = async (): ReturnType<typeof findKubernetesAccess> => {
    const before = bound
    const access = await findKubernetesAccess({ context, environment, plugin, podFolder, bound })
    // Of concurrent requests, the first to finish binds the others to its server.
    if (before === undefined && bound !== undefined) return findAccess()
    if (access.ok) bound = access.value
    return access
  }
  const sendWith = async (
    request: KubernetesRequest,
  ): Promise<Result<KubernetesAnswer, KubernetesReason>> => {
    const access = await findAccess()
    if (!access.ok) return access
    const route = findRoute(access.value, environment, trustIn)
    if (!route.ok) return route
    return sendOnce(request, access.value, route.value)
  }
  const send = async (request: KubernetesRequest) => {
    const reply = await sendWith(request)
    // Credentials may expire earlier than announced. A rejected request was not carried out, so it is sent again.
    return reply.ok && reply.value.status === 401 && plugin.forget() ? sendWith(request) : reply
  }
  return {
    ...objectBackend(formatLocation(location), kubernetesStore(namespace, send), pause),
    address: async () => bound?.url,
  }
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
  if (!route.ok) return failKubernetes('proxy-unusable', route.error)
  try {
    const trust = trustIn({ ...(authorities && { authorities }), ...(client && { client }) })
    return { ok: true, value: { ...route.value, trust } }
  } catch {
    return failKubernetes('invalid-kubeconfig', 'certificate')
  }
}
