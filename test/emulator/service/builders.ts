import { volumeComponents } from '../../../src/contract/volumes.js'
import type { EmulatorJsonObject, Json } from '../../../src/emulator/service/json.js'
import type {
  OperationTarget,
  ParsedBody,
  RequestPart,
  ServiceRequest,
  ServiceResponse,
} from '../../../src/emulator/service/request.js'
import { route } from '../../../src/emulator/service/route.js'
import type { World } from '../../../src/emulator/service/world.js'

/** The start of everything in these tests: 2026-03-04 05:06:07.089 UTC. */
export const begin = Date.UTC(2026, 2, 4, 5, 6, 7, 89)

/** The value of a name in a test request; a list sends the name several times. */
export type Value = string | Uint8Array | readonly (string | Uint8Array)[]
export type Values = Readonly<Record<string, Value | undefined>>

export function partsOf(values: Values): readonly RequestPart[] {
  return Object.entries(values).flatMap(([name, value]): readonly RequestPart[] => {
    if (value === undefined) return []
    const all = typeof value === 'string' || value instanceof Uint8Array ? [value] : value
    return all.map(one => aPart(name, one))
  })
}

function aPart(name: string, value: string | Uint8Array): RequestPart {
  if (typeof value === 'string') return { kind: 'text', name, text: value }
  return {
    kind: 'file',
    name,
    fileName: `${name}.bin`,
    contentType: 'application/octet-stream',
    bytes: value,
  }
}

export function aRequest(target: OperationTarget, body: ParsedBody, method = 'POST'): ServiceRequest {
  return { method, target, query: [], body }
}

export function aForm(target: OperationTarget, values: Values): ServiceRequest {
  return aRequest(target, { encoding: 'form', parts: partsOf(values) })
}

export function aConfigure(values: Values = {}): ServiceRequest {
  const parts = partsOf({ ...configureValues(), ...values })
  return aRequest({ operation: 'configure' }, { encoding: 'multipart', parts })
}

export function anUpdate(values: Values = {}): ServiceRequest {
  const upgradeConfig = JSON.stringify(anUpgradeConfig())
  return aForm({ operation: 'update' }, { upgradeConfig, token: 'a-token', ...values })
}

export function anUpgradeConfig(nodeAffinity: Json = {}, tolerations: Json = []): EmulatorJsonObject {
  return { podPlacementPolicy: { nodeAffinity, tolerations } }
}

/** Exactly the required parameters of `configure`. */
export function configureValues(): Readonly<Record<string, string | Uint8Array>> {
  return {
    username: 'siteadmin',
    password: 'correct-horse-1',
    email: 'admin@example.org',
    fullName: 'Site Administrator',
    securityQuestionIdx: '13',
    securityQuestionAns: 'Cartographer',
    userLicenseTypeId: 'creatorUT',
    licenseFile: new Uint8Array([1, 2, 3]),
    volumesConfig: JSON.stringify({ volumesConfig: volumes() }),
  }
}

export function volumes(): readonly EmulatorJsonObject[] {
  return volumeComponents.map(component => ({
    provisioningType: 'DYNAMIC',
    component,
    size: '16Gi',
    storageClass: 'gp3',
    labels: { tier: 'storage', app: component.toLowerCase() },
  }))
}

/** Returns the world after some requests at one moment. */
export function after(world: World, now: number, ...requests: readonly ServiceRequest[]): World {
  return requests.reduce((current, request) => route(current, request, now)[0], world)
}

export function ask(world: World, request: ServiceRequest, now = begin): ServiceResponse {
  return route(world, request, now)[1]
}

/** Returns `accepted`, or the code and the message of the error body. */
export function outcome(response: ServiceResponse): string {
  const error = response.body['error'] as EmulatorJsonObject | undefined
  return error === undefined ? 'accepted' : `${error['code']} ${error['message']}`
}
