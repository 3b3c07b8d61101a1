import { reportedSiteStates } from '../../contract/field-notes.js'
import { reportedBuilds, reportedResources, reportedStageSpellings } from '../../contract/field-operations.js'
import { rootResources, siteStates } from '../../contract/states.js'
import { answer, isRefusal } from '../service/answers.js'
import { isObject, type Json, type JsonObject, member } from '../service/json.js'
import { isSettling } from '../service/site-state.js'
import type { Handler } from '../service/world.js'

/** Answers as documented, with the reported states and spellings. */
export const root =
  (documented: Handler): Handler =>
  (world, request, now) => {
    const [next, response] = documented(world, request, now)
    if (isRefusal(response)) return [next, response]
    const { body } = response
    const version = body['fullVersion']
    const reported = {
      ...body,
      resources: [...rootResources, ...reportedResources],
      status: isSettling(world, now) ? settling(body['status']) : statusOf(body['status']),
      // Version and build are one text; an unknown build is 0.
      info: { build: `${version}.${reportedBuilds.get(String(version)) ?? 0}` },
    }
    return [next, answer(request, reported)]
  }

/** Makes the reported status; before a configuration it has no message and no stages. */
function statusOf(status: Json | undefined): JsonObject {
  if (!isObject(status) || status['state'] === undefined) return { state: reportedSiteStates.notConfigured }
  return status['state'] === siteStates.done ? status : { ...status, stages: respelled(status) }
}

function settling(status: Json | undefined): JsonObject {
  const message = 'The organization was created and is not ready yet.'
  return { ...(isObject(status) && status), state: reportedSiteStates.configured, message }
}

/** Renames stages: while a configuration runs, and after it failed, some names have other capitals than at the end. */
function respelled(status: JsonObject): readonly Json[] {
  const stages = member(status, 'stages') as readonly JsonObject[]
  const spellings: Readonly<Record<string, string>> = reportedStageSpellings
  return stages.map(stage => ({ ...stage, name: spellings[String(stage['name'])] ?? stage['name'] ?? null }))
}
