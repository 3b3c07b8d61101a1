import { type AzureLocation, containerUrl, isAzureEndpoint } from '../manifest/azure-location.js'
import { formatLocation } from '../manifest/state-location.js'
import type { Result } from '../result.js'
import { type AzureRequest, azureRunHeader, azureStore, failAzure } from '../state/azure-store.js'
import type { StorageAnswer } from '../state/folder-store.js'
import { objectBackend } from '../state/object-backend.js'
import type { StateBackend } from '../state/series.js'
import type { AzureReason } from '../state/state-failure.js'
import { createAzureTokens } from './azure-tokens.js'
import { findStoreRoute, sendToStorage } from './reach-store.js'
import { pause, systemClock } from './system-ports.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The oldest version that rejects an expired token with 401. */
const version = '2019-12-12'

/**
 * Returns the endpoint of a location if it is outside of Azure and the environment does not name it too. A manifest or
 * a pointer may come from an unknown author, who must not choose where tokens are sent.
 */
export function findForeignAzureEndpoint(
  { endpoint }: AzureLocation,
  { AZURE_STORAGE_SERVICE_ENDPOINT: named = '' }: Environment,
): string | undefined {
  if (endpoint === undefined || isAzureEndpoint(endpoint)) return undefined
  return URL.canParse(named) && new URL(named).origin === endpoint ? undefined : endpoint
}

/** Opens state in a container, with a token from the environment. Sends nothing until it is used. */
export function openAzure(location: AzureLocation, environment: Environment): StateBackend {
  const base = containerUrl(location)
  const tokens = createAzureTokens({ environment, now: systemClock.now })
  const sendOnce = async (request: AzureRequest): Promise<Result<StorageAnswer, AzureReason>> => {
    const token = await tokens.find()
    if (!token.ok) return token
    const route = findStoreRoute(base, environment)
    if (!route.ok) return failAzure('proxy-unusable', { said: route.error })
    const { method, name, query = {}, body } = request
    const parameters = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    const url = new URL(
      [[base, name].filter(Boolean).join('/'), parameters.join('&')].filter(Boolean).join('?'),
    )
    const reply = await sendToStorage(
      {
        method,
        url: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: {
          ...request.headers,
          authorization: `Bearer ${token.value}`,
          'x-ms-version': version,
          ...(body !== undefined && { 'content-length': `${body.byteLength}` }),
        },
        answerHeader: azureRunHeader,
        ...(body !== undefined && { body: { contentType: 'application/json', bytes: body } }),
      },
      route.value,
    )
    return reply.ok ? reply : { ok: false, error: { kind: 'azblob', ...reply.error } }
  }
  const send = async (request: AzureRequest) => {
    const reply = await sendOnce(request)
    // A token may be revoked before it expires. A rejected request was not carried out, so it is sent again.
    return reply.ok && reply.value.status === 401 && tokens.forget() ? sendOnce(request) : reply
  }
  return {
    ...objectBackend(formatLocation(location), azureStore(location.prefix, send), pause),
    address: async () => base,
  }
}
