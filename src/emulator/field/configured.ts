import { logDays, usualLogLevel } from '../../contract/field-operations.js'
import { defaultProfile } from '../../contract/profiles.js'
import { logLevelField, profileField } from '../../contract/structures.js'
import { includes } from '../../contract/versions.js'
import type { Configuration } from '../faults/configuration-progress.js'
import { buildResponse, rejectRequest } from '../service/answers.js'
import { type EmulatorJsonObject, isObject, member } from '../service/json.js'
import type { Handler, World } from '../service/world.js'

/** The log settings; how long logs are kept is part of them from 11.2 on (administrator API reference). */
export const logSettings = buildConfiguredHandler((world, { parameters, begunAt }) => ({
  ...(includes(world.version, logDays.since) && { maxLogAgeDays: logDays.usual }),
  logLevel: member(parameters, 'logSettings', logLevelField) ?? usualLogLevel,
  lastModified: Math.round(begunAt),
}))

/** The system properties as they were sent. Reported: that they can be read, but not their shape. */
export const systemProperties = buildConfiguredHandler((_world, { parameters }) => {
  const properties = member(parameters, 'systemProperties')
  return isObject(properties) ? properties : {}
})

/** The chosen profile. Reported: that it can be read; the shape is that of the parameter. */
export const architectureProfile = buildConfiguredHandler((_world, { parameters }) => ({
  [profileField]: member(parameters, 'systemArchitectureProfile', profileField) ?? defaultProfile,
}))

/** Makes a handler that answers with a part of the configuration, or with an error if there is none. */
function buildConfiguredHandler(
  body: (world: World, configuration: Configuration) => EmulatorJsonObject,
): Handler {
  return (world, request) =>
    world.configuration === undefined
      ? rejectRequest(world, request, { message: 'The site is not configured.' })
      : [world, buildResponse(request, body(world, world.configuration))]
}
