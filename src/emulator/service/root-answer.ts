import {
  immediateSpelling,
  type rootFields,
  rootResources,
  siteStates,
  type stageFields,
  type statusFields,
} from '../../contract/responses.js'
import { splitVersion } from '../../contract/versions.js'
import {
  applyStatusFault,
  type Configuration,
  computeProgress,
  type ShownStatus,
} from '../faults/configuration-progress.js'
import { selectActiveFaults } from '../faults/meet.js'
import { buildResponse, rejectRequest } from './answers.js'
import type { EmulatorJsonObject, Json } from './json.js'
import { readParameters } from './parameters.js'
import { computeTimeline } from './timeline.js'
import type { Handler, World } from './world.js'

const messages: Readonly<Record<string, string>> = {
  [siteStates.running]: 'Creating a new organization.',
  [siteStates.done]: 'The organization was created successfully.',
}

type Status = Record<keyof typeof statusFields, Json>

/**
 * Makes the answer of the root resource at a moment. Service §2.3.
 *
 * The document shows no `status` before a configuration; here it is empty.
 */
export function buildRootBody(world: World, now: number): EmulatorJsonObject {
  const { configuration } = world
  if (configuration === undefined) return addStatus(world, {})
  const { state, message = messages[state] ?? '', stages } = computeProgress({ ...world, configuration }, now)
  return addStatus(world, buildStatus(world, { state, message, warnings: [], stages }, now))
}

/** Builds the answer of `configure`: no stage has started, there are no start times, one name differs. Service §2.3, §3. */
export function buildImmediateBody(
  world: World & { readonly configuration: Configuration },
  now: number,
): EmulatorJsonObject {
  const spellings: Readonly<Record<string, string>> = immediateSpelling
  // Computed for a time before the beginning, when no stage has started.
  const { stages } = computeTimeline(world.configuration.begunAt, Number.NEGATIVE_INFINITY, world.durations)
  const shown = {
    state: siteStates.running,
    message: messages[siteStates.running] ?? '',
    warnings: [],
    stages: stages.map(
      ({ name, state, lastUpdated }) =>
        ({ name: spellings[name] ?? name, state, lastUpdated }) satisfies Record<
          Exclude<keyof typeof stageFields, 'startTime'>,
          Json
        >,
    ),
  }
  return addStatus(world, buildStatus(world, shown, now))
}

function buildStatus(world: World, shown: ShownStatus, now: number): EmulatorJsonObject {
  const { state, message, warnings, stages } = selectActiveFaults(world, now).reduce(applyStatusFault, shown)
  return { state, message, warnings, stages } satisfies Status
}

function addStatus({ version, build = 'emulated' }: World, status: EmulatorJsonObject): EmulatorJsonObject {
  const [major, minor, patch] = splitVersion(version)
  return {
    fullVersion: `${major}.${minor}.${patch}`,
    resources: rootResources,
    // A JSON number can hold two of the three parts; `fullVersion` has all.
    currentVersion: Number(`${major}.${minor}`),
    status,
    // The document shows that the build is a string, but no value.
    info: { build },
  } satisfies Record<keyof typeof rootFields, Json>
}

/** Reports the progress of the configuration; changes nothing. Service §2.3. */
export const root: Handler = (world, request, now) => {
  const reading = readParameters(world, request, { operation: 'root', checks: {} })
  if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
  return [world, buildResponse(request, buildRootBody(world, now))]
}
