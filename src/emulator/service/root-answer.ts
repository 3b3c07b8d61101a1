import type { rootFields, stageFields, statusFields } from '../../contract/responses.js'
import { immediateSpelling } from '../../contract/stages.js'
import { rootResources, siteStates } from '../../contract/states.js'
import { numbers } from '../../contract/versions.js'
import { type Configuration, courseAt } from '../faults/course.js'
import { siteFaults } from '../faults/meet.js'
import { disturbed, type Shown } from '../faults/shown.js'
import type { Json, JsonObject } from './json.js'
import { timeline } from './timeline.js'
import type { World } from './world.js'

const messages: Readonly<Record<string, string>> = {
  [siteStates.running]: 'Creating a new organization.',
  [siteStates.done]: 'The organization was created successfully.',
}

type Status = Record<keyof typeof statusFields, Json>

/** A world in which a configuration has begun. */
type BegunWorld = World & { readonly configuration: Configuration }

/**
 * Makes the answer of the root resource at a moment. Service §2.3.
 *
 * The document shows no `status` before a configuration; here it is empty.
 */
export function rootBody(world: World, now: number): JsonObject {
  const { configuration } = world
  return withStatus(world, configuration === undefined ? {} : laterStatus({ ...world, configuration }, now))
}

/** Makes the answer of `configure`: no stage has started, no start times, the other spelling. Service §2.3, §3. */
export function immediateBody(world: BegunWorld, now: number): JsonObject {
  // Before its beginning no stage has started.
  const { stages } = timeline(world.configuration.begunAt, Number.NEGATIVE_INFINITY, world.durations)
  const shown = {
    state: siteStates.running,
    message: messages[siteStates.running] ?? '',
    warnings: [],
    stages: stages.map(
      ({ name, state, lastUpdated }) =>
        ({ name: immediateName(name), state, lastUpdated }) satisfies Record<
          Exclude<keyof typeof stageFields, 'startTime'>,
          Json
        >,
    ),
  }
  return withStatus(world, statusOf(world, shown, now))
}

function laterStatus(world: BegunWorld, now: number): JsonObject {
  const { state, message = messages[state] ?? '', stages } = courseAt(world, now)
  return statusOf(world, { state, message, warnings: [], stages }, now)
}

function statusOf(world: World, shown: Shown, now: number): JsonObject {
  const { state, message, warnings, stages } = siteFaults(world, now).reduce(disturbed, shown)
  return { state, message, warnings, stages } satisfies Status
}

function withStatus({ version, build = 'emulated' }: World, status: JsonObject): JsonObject {
  const [major, minor, patch] = numbers(version)
  return {
    fullVersion: `${major}.${minor}.${patch}`,
    resources: rootResources,
    // A JSON number holds two of the three; `fullVersion` has all.
    currentVersion: Number(`${major}.${minor}`),
    status,
    // The document shows that the build is a string, but no value.
    info: { build },
  } satisfies Record<keyof typeof rootFields, Json>
}

function immediateName(name: string): string {
  const spellings: Readonly<Record<string, string>> = immediateSpelling
  return spellings[name] ?? name
}
