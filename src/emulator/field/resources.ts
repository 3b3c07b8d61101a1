import {
  licenseValidation,
  logDays,
  tokenServicePath,
  userTypeRecords,
  usualLogLevel,
} from '../../contract/field-notes.js'
import { logLevelField, profileField } from '../../contract/field-row.js'
import { operations } from '../../contract/operations.js'
import { otherReadings, type Reading, type SettingName, settingReadings } from '../../contract/readings.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import type { Configuration } from '../faults/configuration-progress.js'
import { buildResponse, buildWrongMethod, notFound, rejectRequest } from '../service/answers.js'
import { type EmulatorJsonObject, isObject, type Json, member } from '../service/json.js'
import type { RequestPart } from '../service/request.js'
import type { Handler, World } from '../service/world.js'
import { showProviders } from './cloud-providers.js'
import { generateToken } from './token.js'
import { upgradeConfig, upgrades } from './upgrades.js'
import { editVolumes, listVolumes } from './volumes.js'
import { buildActivation, listWebhooks, parseServicePath } from './webhooks.js'

/** The log settings; from 11.2 on they include the retention in days (administrator API reference). */
const logSettings = buildConfiguredHandler((world, { parameters, begunAt }) => ({
  ...(includes(world.version, logDays.since) && { maxLogAgeDays: logDays.usual }),
  logLevel: member(parameters, 'logSettings', logLevelField) ?? usualLogLevel,
  lastModified: Math.round(begunAt),
}))

/** The system properties as they were sent. Public sources report that they can be read, but not their shape. */
const systemProperties = buildConfiguredHandler((_world, { parameters }) => {
  const properties = member(parameters, 'systemProperties')
  return isObject(properties) ? properties : {}
})

/** Answers with the chosen profile, as the documentation page of the resource prints it. */
function buildProfile(
  name: SettingName,
  find: (parameters: EmulatorJsonObject) => Json | undefined,
): Handler {
  const { profiles } = settingReadings[name].printed as EmulatorJsonObject & {
    readonly profiles: readonly string[]
  }
  return buildConfiguredHandler((_world, { parameters, begunAt }) => ({
    activeProfile: { profileName: find(parameters) ?? profiles[0] ?? '', lastApplied: Math.round(begunAt) },
    supportedOperations: [],
    profiles,
  }))
}

/** Reads a profile of 12.1. Its parameter names are not public, so any parameter that contains the word counts. */
const buildLaterProfile = (name: 'availability' | 'performance') =>
  buildProfile(name, parameters => {
    const found = Object.entries(parameters).find(([parameter]) => parameter.toLowerCase().includes(name))
    return member(found?.[1], profileField)
  })

/** Answers with the providers, as their documentation page prints them. */
const cloudProviders = buildConfiguredHandler((_world, { parameters }) => ({
  cloudProviders: showProviders(parameters['cloudConfig']),
}))

/** Answers with one system-managed store and those of the configuration, as their documentation page prints them. */
const dataStores = buildConfiguredHandler((_world, { parameters }) => {
  const sent = parameters['userManagedStores']
  const own = (Array.isArray(sent) ? sent : []).map((store, at) => {
    const name = `store${at + 1}`
    return {
      systemManaged: false,
      type: member(store, 'type') ?? '',
      path: `/fileShares/${name}`,
      provider: '',
      clientPath: member(store, 'clientPath') ?? null,
      info: {
        dataStoreConnectionType: 'shared',
        hostName: member(store, 'info', 'fileServerHost') ?? '',
        path: member(store, 'info', 'fileServerPath') ?? '',
      },
      id: name,
      name,
    }
  })
  return { items: [otherReadings.dataStores.printed.items[0], ...own] }
})

/** The handlers of the resources that Landform reads. */
const readable: readonly (readonly [Reading, Handler])[] = [
  [otherReadings.upgrades, upgrades],
  [otherReadings.dataStores, dataStores],
  [settingReadings.upgradeConfig, upgradeConfig],
  [settingReadings.logLevel, logSettings],
  [settingReadings.systemProperties, systemProperties],
  [
    settingReadings.profile,
    buildProfile('profile', sent => member(sent, 'systemArchitectureProfile', profileField)),
  ],
  [settingReadings.availability, buildLaterProfile('availability')],
  [settingReadings.performance, buildLaterProfile('performance')],
  [settingReadings.cloudStorage, cloudProviders],
]

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
  // No source reports which content is valid, so any is; older versions have forms other than JSON.
  const isLicense = (part: RequestPart) =>
    part.name === 'file' && part.kind === 'file' && part.bytes.length > 0
  const isGiven = request.body.parts.some(isLicense)
  const refusal = world.field.licenseRefusal ?? (isGiven ? undefined : 'The license is not valid.')
  if (refusal !== undefined) return rejectRequest(world, request, { message: refusal })
  const definitions = { userTypes: userTypeRecords }
  return [world, buildResponse(request, { MyEsri: { version: world.version, definitions } })]
}

/** The path of the volumes of the one system-managed store. */
const volumesPath = otherReadings.volumes.path.replace(
  '{store}',
  otherReadings.dataStores.printed.items[0].id,
)

interface Resource {
  readonly method: 'GET' | 'POST'
  readonly since: ServiceVersion
  /** The version that replaced the resource. From then on it is not found; the real behavior is not public. */
  readonly until?: ServiceVersion | undefined
  readonly handle: Handler
}

const { configure, deleteAll } = operations

/** The resources that the document does not show, by their paths relative to the base path. They have no counters. */
const resources: ReadonlyMap<string, Resource> = new Map<string, Resource>([
  [`../${tokenServicePath}`, { method: 'POST', since: configure.since, handle: generateToken }],
  [licenseValidation, { method: 'POST', since: configure.since, handle: validateLicense }],
  [volumesPath, { method: 'GET', since: otherReadings.volumes.since, handle: listVolumes }],
  [`${volumesPath}/edit`, { method: 'POST', since: otherReadings.volumes.since, handle: editVolumes }],
  ...readable.map(
    ([{ path, since, until }, handle]) => [path, { method: 'GET', since, until, handle }] as const,
  ),
])

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
    const isReplaced = resource.until !== undefined && includes(world.version, resource.until)
    if (isReplaced || !includes(world.version, resource.since)) return rejectRequest(world, request, notFound)
    if (resource.method !== request.method)
      return rejectRequest(world, request, buildWrongMethod([resource.method]))
    return resource.handle(world, request, now)
  }
}
