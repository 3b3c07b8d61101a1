import { reportedSiteStates } from '../../contract/field-notes.js'
import { reportedBuilds, reportedResources, reportedStageSpellings } from '../../contract/field-operations.js'
import { rootResources, siteStates } from '../../contract/states.js'
import { buildResponse, isErrorResponse } from '../service/answers.js'
import { type EmulatorJsonObject, isObject, type Json, member } from '../service/json.js'
import { isSettling } from '../service/site-state.js'
import type { Handler } from '../service/world.js'

/** Answers as documented, with the reported states and spellings. */
export const root =
  (documented: Handler): Handler =>
  (world, request, now) => {
    const [next, response] = documented(world, request, now)
    if (isErrorResponse(response)) return [next, response]
    const { body } = response
    const version = body['fullVersion']
    const reported = {
      ...body,
      resources: [...rootResources, ...reportedResources],
      status: isSettling(world, now)
        ? buildConfiguredStatus(body['status'])
        : buildReportedStatus(body['status']),
      // Version and build are one text; an unknown build is 0.
      info: { build: `${version}.${reportedBuilds.get(String(version)) ?? 0}` },
    }
    return [next, buildResponse(request, reported)]
  }

/** Makes the reported status; before a configuration it has no message and no stages. */
function buildReportedStatus(status: Json | undefined): EmulatorJsonObject {
  if (!isObject(status) || status['state'] === undefined) return { state: reportedSiteStates.notConfigured }
  return status['state'] === siteStates.done ? status : { ...status, stages: respellStages(status) }
}

function buildConfiguredStatus(status: Json | undefined): EmulatorJsonObject {
  const message = 'The organization was created and is not ready yet.'
  return { ...(isObject(status) && status), state: reportedSiteStates.configured, message }
}

/** Renames stages: while a configuration runs, and after it failed, some names have other capitals than at the end. */
function respellStages(status: EmulatorJsonObject): readonly Json[] {
  const stages = member(status, 'stages') as readonly EmulatorJsonObject[]
  const spellings: Readonly<Record<string, string>> = reportedStageSpellings
  return stages.map(stage => ({ ...stage, name: spellings[String(stage['name'])] ?? stage['name'] ?? null }))
}
