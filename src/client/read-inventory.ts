import { quantityForm } from '../contract/kubernetes.js'
import { otherReadings, storeReadings } from '../contract/readings.js'
import { dataStoreFields, fileServerFields, volumeComponents } from '../contract/volumes.js'
import { listEntries, listStoreIds, maxStores } from '../evidence/evidence.js'
import type { Inventory, Readable } from '../plan/observation.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { retryWithNewToken, type TokenProvider } from '../secrets/token-provider.js'
import { get } from './connection.js'
import type { GetRequest } from './message.js'
import { readSetting } from './read-settings.js'
import { boundSum, redactDeep } from './redact/redacted.js'
import { redactorFor } from './redact/redactor.js'
import type { Route } from './route.js'
import { createRouteRedaction } from './site-reader.js'

/** Reads the resources that only some sites have. Those without a documented structure are only listed. */
export async function readInventory(explore: SiteExplorer, signal: AbortSignal): Promise<Inventory> {
  const { path } = otherReadings.dataStores
  const stores = await explore(path, signal)
  const data = stores.kind === 'read' ? stores.value : {}
  const ids = [...new Set(listStoreIds(data))].slice(0, maxStores)
  const answers: (readonly [path: string, answer: Readable<JsonObject>])[] = []
  for (const below of ids.flatMap(id => storeReadings.map(one => one.path.replace('{store}', id))))
    answers.push([below, await explore(below, signal)])
  const dataStores = listStores(data)
  // System-managed stores do not belong in a manifest.
  const own = listEntries(data).filter(({ systemManaged }) => systemManaged !== true)
  return {
    volumes: Object.assign(
      {},
      ...answers.map(([, one]) => (one.kind === 'read' ? listVolumes(one.value) : {})),
    ),
    dataStores,
    otherStores: Object.values(data).some(Array.isArray) ? own.length - dataStores.length : undefined,
    resources: [[path, stores] as const, ...answers].map(([path, one]) => ({
      path,
      outcome: one.kind === 'unreadable' ? one.because : 'read',
    })),
  }
}

function listVolumes(body: JsonObject): Inventory['volumes'] {
  const entries = listEntries(body).flatMap(({ component, size, storageClass }) => {
    const known = volumeComponents.find(name => name === component)
    if (known === undefined || typeof size !== 'string' || !quantityForm.test(size)) return []
    const isName = typeof storageClass === 'string' && /^[a-z0-9][a-z0-9.-]{0,252}$/.test(storageClass)
    return [[known, { size, ...(isName && { storageClass }) }] as const]
  })
  return Object.fromEntries(entries)
}

/** Lists the data stores with their documented fields only: others may contain the account of a file server. */
function listStores(body: JsonObject): readonly JsonObject[] {
  return listEntries(body).flatMap(entry => {
    const { info } = entry
    const store = selectTexts(entry, dataStoreFields)
    const server = isObject(info) ? selectTexts(info, fileServerFields) : undefined
    return store === undefined || server === undefined ? [] : [{ ...store, info: server }]
  })
}

/** Selects documented texts; `undefined` unless all are there. */
function selectTexts(from: JsonObject, fields: object): JsonObject | undefined {
  const entries = Object.keys(fields).map(name => [name, from[name] ?? null] as const)
  return entries.every(([, value]) => typeof value === 'string') ? Object.fromEntries(entries) : undefined
}

/** Reads the JSON object at a path below the base URL, or the reason why it is unreadable. Sends only GET. */
type SiteExplorer = (path: string, signal: AbortSignal) => Promise<Readable<JsonObject>>

/** A list of the resources of a site, which only `adopt` reads. */
const deadlineMs = 10_000
const maxAnswerBytes = 1024 * 1024

/** Creates a reader of resources without a documented structure. The token goes to this address alone. */
export function siteExplorer(url: string, provideToken: TokenProvider, route: Route): SiteExplorer {
  return (path, signal) =>
    retryWithNewToken<Readable<JsonObject>>(provideToken, {
      async with(token) {
        const requests = {
          hasToken: token !== undefined,
          get: (at: Pick<GetRequest, 'path'>) =>
            get({ url, ...at, token, route, deadlineMs, maxAnswerBytes, signal }),
        }
        const read = await readSetting(requests, { path, value: [] }, body =>
          isObject(body) ? body : undefined,
        )
        if (read.kind === 'unreadable') return read
        const { redact } = boundSum(await createRouteRedaction(route))
        const value = redactDeep(read.value, redact)
        return { kind: 'read', value: token === undefined ? value : redactDeep(value, redactorFor([token])) }
      },
      wasRejected: one => one.kind === 'unreadable' && one.because === 'not-allowed',
    })
}
