import { licenseValidation, readableResources, tokenServicePath } from '../../contract/field-operations.js'
import { operations } from '../../contract/operations.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import { buildWrongMethod, notFound, rejectRequest } from '../service/answers.js'
import type { Handler } from '../service/world.js'
import { architectureProfile, logSettings, systemProperties } from './configured.js'
import { parseServicePath } from './service-path.js'
import { generateToken } from './token.js'
import { upgradeConfig, upgrades } from './upgrades.js'
import { validateLicense } from './validate-license.js'
import { buildActivation, listWebhooks } from './webhooks.js'

interface Resource {
  readonly method: 'GET' | 'POST'
  readonly since: ServiceVersion
  readonly handle: Handler
}

const { configure, deleteAll } = operations

/** The resources that the document does not show, by their paths relative to the base path. They have no counters. */
const resources: ReadonlyMap<string, Resource> = new Map<string, Resource>([
  [`../${tokenServicePath}`, { method: 'POST', since: configure.since, handle: generateToken }],
  [licenseValidation, { method: 'POST', since: configure.since, handle: validateLicense }],
  buildReadableResource('upgrades', upgrades),
  buildReadableResource('upgradeConfig', upgradeConfig),
  buildReadableResource('logLevel', logSettings),
  buildReadableResource('systemProperties', systemProperties),
  buildReadableResource('profile', architectureProfile),
])

function buildReadableResource(
  name: keyof typeof readableResources,
  handle: Handler,
): readonly [string, Resource] {
  const { path, since } = readableResources[name]
  return [path, { method: 'GET', since, handle }]
}

/** The resources below one service, by operation. */
const ofServices: ReadonlyMap<string, Resource> = new Map([
  ['', { method: 'GET', since: deleteAll.since, handle: listWebhooks }],
  ['activateAll', { method: 'POST', since: deleteAll.since, handle: buildActivation(true) }],
  ['deactivateAll', { method: 'POST', since: deleteAll.since, handle: buildActivation(false) }],
])

/** Every reported path, with the operations of services; no part of one is a secret. */
export const reportedPaths: readonly string[] = [...resources.keys(), ...ofServices.keys()]

/** Finds the handler of a reported path; `undefined` for a documented one. */
export function findResource(path: string): Handler | undefined {
  const resource = resources.get(path) ?? ofServices.get(parseServicePath(path)?.operation ?? 'none')
  if (resource === undefined) return undefined
  return (world, request, now) => {
    if (!includes(world.version, resource.since)) return rejectRequest(world, request, notFound)
    if (resource.method !== request.method)
      return rejectRequest(world, request, buildWrongMethod([resource.method]))
    return resource.handle(world, request, now)
  }
}
