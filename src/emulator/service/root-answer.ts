import type { rootFields, stageFields, statusFields } from '../../contract/responses.js'
import { immediateSpelling } from '../../contract/stages.js'
import { rootResources, siteStates } from '../../contract/states.js'
import { numbers, type ServiceVersion } from '../../contract/version.js'
import type { Json, JsonObject } from './json.js'
import { timeline } from './timeline.js'
import type { Configuration, World } from './world.js'

const messages = {
  [siteStates.running]: 'Creating a new organization.',
  [siteStates.done]: 'The organization was created successfully.',
} as const

type Status = Record<keyof typeof statusFields, Json>

/**
 * What the root resource answers at a moment. Service §2.3.
 *
 * Before a configuration the document shows no `status`; an empty one claims nothing.
 */
export function rootBody(world: World, now: number): JsonObject {
  return withStatus(
    world.version,
    world.configuration === undefined ? {} : laterStatus(world, world.configuration, now),
  )
}

/** What `configure` answers: nothing has started, no start times, the other spelling. Service §2.3, §3. */
export function immediateBody(world: World, configuration: Configuration): JsonObject {
  // A clock before every stage is one at which none has started.
  const { stages } = timeline(configuration.begunAt, Number.NEGATIVE_INFINITY, world.durations)
  const status = {
    state: siteStates.running,
    message: messages[siteStates.running],
    warnings: [],
    stages: stages.map(
      ({ name, state, lastUpdated }) =>
        ({ name: immediateName(name), state, lastUpdated }) satisfies Record<
          Exclude<keyof typeof stageFields, 'startTime'>,
          Json
        >,
    ),
  } satisfies Status
  return withStatus(world.version, status)
}

function laterStatus(world: World, configuration: Configuration, now: number): JsonObject {
  const { state, stages } = timeline(configuration.begunAt, now, world.durations)
  return { state, message: messages[state], warnings: [], stages } satisfies Status
}

function withStatus(version: ServiceVersion, status: JsonObject): JsonObject {
  const [major, minor, patch] = numbers(version)
  return {
    fullVersion: `${major}.${minor}.${patch}`,
    resources: rootResources,
    // A JSON number has room for two of the three; `fullVersion` carries all.
    currentVersion: Number(`${major}.${minor}`),
    status,
    // The document shows that the build is a string, and no value.
    info: { build: 'emulated' },
  } satisfies Record<keyof typeof rootFields, Json>
}

function immediateName(name: string): string {
  const spellings: Readonly<Record<string, string>> = immediateSpelling
  return spellings[name] ?? name
}
