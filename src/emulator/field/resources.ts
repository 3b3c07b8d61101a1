import {
  licenseValidation,
  logDays,
  readableResources,
  tokenServicePath,
  userTypeRecords,
  usualLogLevel,
} from '../../contract/field-notes.js'
import { logLevelField, profileField } from '../../contract/field-row.js'
import { operations } from '../../contract/operations.js'
import { defaultProfile } from '../../contract/profiles.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { Configuration } from '../faults/configuration-progress.js'
import { buildResponse, buildWrongMethod, notFound, rejectRequest } from '../service/answers.js'
import { type EmulatorJsonObject, isObject, member } from '../service/json.js'
import type { ServiceRequest } from '../service/request.js'
import type { Handler, World } from '../service/world.js'
import { generateToken } from './token.js'
import { upgradeConfig, upgrades } from './upgrades.js'
import { buildActivation, listWebhooks, parseServicePath } from './webhooks.js'

/** The log settings; how long logs are kept is part of them from 11.2 on (administrator API reference). */
const logSettings = buildConfiguredHandler((world, { parameters, begunAt }) => ({
  ...(includes(world.version, logDays.since) && { maxLogAgeDays: logDays.usual }),
  logLevel: member(parameters, 'logSettings', logLevelField) ?? usualLogLevel,
  lastModified: Math.round(begunAt),
}))

/** The system properties as they were sent. Reported: that they can be read, but not their shape. */
const systemProperties = buildConfiguredHandler((_world, { parameters }) => {
  const properties = member(parameters, 'systemProperties')
  return isObject(properties) ? properties : {}
})

/** Answers with the chosen profile, in the shape of the parameter. Reported: that it can be read. */
const architectureProfile = buildConfiguredHandler((_world, { parameters }) => ({
  [profileField]: member(parameters, 'systemArchitectureProfile', profileField) ?? defaultProfile,
}))

/** Makes a handler that answers with a part of the configuration, or with an error before it exists. */
function buildConfiguredHandler(
  body: (world: World, configuration: Configuration) => EmulatorJsonObject,
): Handler {
  return (world, request) =>
    world.configuration === undefined
      ? rejectRequest(world, request, { message: 'The site is not configured.' })
      : [world, buildResponse(request, body(world, world.configuration))]
}

/**
 * Validates a license before anything is configured. Reported: the request, the error body, and the shape of the answer
 * without `listAdministratorUserTypes`. The shape with it is not known, so both get the same answer.
 */
const validateLicense: Handler = (world, request) => {
  const refusal =
    world.field.licenseRefusal ?? (hasLicense(request) ? undefined : 'The license is not valid.')
  if (refusal !== undefined) return rejectRequest(world, request, { message: refusal })
  const definitions = { userTypes: userTypeRecords }
  return [world, buildResponse(request, { MyEsri: { version: world.version, definitions } })]
}

/** Which content makes a license valid is not reported, so that any is; older versions have other forms than JSON. */
function hasLicense({ body }: ServiceRequest): boolean {
  return body.parts.some(part => part.name === 'file' && part.kind === 'file' && part.bytes.length > 0)
}

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
