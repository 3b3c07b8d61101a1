import { failedStage, reportedSiteStates } from '../contract/field-notes.js'
import { rootResources, siteStates, stageStates, unmovedStageStates } from '../contract/responses.js'
import type { Contradiction, Observation, SiteFacts, StageRecord } from '../plan/observation.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { decodeObject, rejectResponse, toText } from './decode.js'
import type { Reply } from './failure.js'
import type { HttpAnswer } from './message.js'

/** Limits the memory for a flood of warnings. */
const maxWarnings = 50

/** Decodes the root resource of a site. Service §2.3. */
export function decodeRoot(answer: HttpAnswer): Reply<Observation> {
  const read = decodeObject(answer)
  if (!read.ok) return read
  const value = parseObservation(read.value)
  if (value === undefined)
    return rejectResponse({ status: answer.status, reason: 'not-a-site-root' }, read.value)
  const { header: emulator } = answer
  return { ok: true, value: emulator === undefined ? value : { ...value, emulator } }
}

/**
 * Parses the site in a root resource. `status.state` alone decides, in any letter case. Null counts as absent; a part of
 * another type than documented is left out, and its path is reported. Without a state, a configuration has begun if there are
 * warnings or a stage that moved; otherwise the site is not configured. Returns `undefined` for an object that is no root
 * resource: it has neither a state nor the organizations in `resources`. Service §2.3, §3.
 */
function parseObservation(body: JsonObject): Observation | undefined {
  const parts = new PartReader()
  const { status: reported } = body
  const status = reported ?? {}
  const fields = isObject(status) ? status : {}
  const state = isObject(status) ? (status['state'] ?? undefined) : status
  const isReported = isObject(status) && typeof state === 'string'
  const { resources } = body
  if (!isReported && !(Array.isArray(resources) && resources.includes(organizations))) return undefined
  const { facts, moved } = parseFacts(body, fields, parts)
  if (state === undefined) {
    const begun = Array.isArray(fields['warnings']) || moved !== undefined
    if (begun) return { kind: 'in-progress', ...facts }
    const implied = reported === undefined || reported === null ? { implied: true as const } : {}
    return { kind: 'not-configured', ...implied, ...facts }
  }
  const kind = isReported ? classifyState(state) : undefined
  if (kind === undefined) return { kind: 'unrecognized', state: toText(state), ...facts }
  const contradiction = kind === 'not-configured' ? findContradiction(facts, moved) : undefined
  return contradiction === undefined
    ? { kind, ...facts }
    : { kind: 'unrecognized', state: toText(state), contradiction, ...facts }
}

/** The meanings of the known states. Only one of them means failure. Service §3, public sources. */
const kinds: Readonly<Record<string, Exclude<Observation['kind'], 'unrecognized'>>> = {
  [siteStates.done]: 'ready',
  [siteStates.running]: 'in-progress',
  [reportedSiteStates.configured]: 'in-progress',
  [reportedSiteStates.notConfigured]: 'not-configured',
  [reportedSiteStates.failed]: 'failed',
}

function classifyState(state: string): (typeof kinds)[string] | undefined {
  const word = state.toLowerCase()
  return Object.hasOwn(kinds, word) ? kinds[word] : undefined
}

/** Finds a sign that a configuration has begun. Empty warnings do not count. */
function findContradiction(
  { warnings }: SiteFacts,
  moved: MovedStage | undefined,
): Contradiction | undefined {
  const text = warnings.find(warning => warning.trim() !== '')
  if (text !== undefined) return { kind: 'warning', text }
  return moved && { kind: 'stage', ...moved }
}

/** The child resource that distinguishes a site from other services. Service §2.3. */
const [organizations] = rootResources

type MovedStage = Pick<StageRecord, 'name' | 'state'>

function parseFacts(
  body: JsonObject,
  status: JsonObject,
  parts: PartReader,
): { readonly facts: SiteFacts; readonly moved: MovedStage | undefined } {
  const version = parseVersion(body, parts)
  const info = parts.object('info', body['info']) ?? {}
  const build = parts.text('info.build', info['build'])
  parts.list('resources', body['resources'])
  const message = parts.text('status.message', status['message'])
  const warnings = parts.list('status.warnings', status['warnings']) ?? []
  const { stages, moved } = parseStages(parts.list('status.stages', status['stages']) ?? [], parts)
  const malformed = parts.malformed()
  return {
    facts: {
      ...version,
      ...(build !== undefined && { build }),
      ...(message !== undefined && { message }),
      warnings: warnings
        .filter(warning => warning !== null)
        .slice(0, maxWarnings)
        .map(toText),
      stages,
      ...(malformed.length > 0 && { malformed }),
    },
    moved,
  }
}

/** A version with too many parts for a JSON number. */
const longVersion = /^\d{1,6}(?:\.\d{1,6}){2,4}$/

/** Parses `fullVersion`, or else `currentVersion`: a whole number there means that the second number is 0. */
function parseVersion(body: JsonObject, parts: PartReader): Pick<SiteFacts, 'version' | 'isRounded'> {
  const version = parts.text('fullVersion', body['fullVersion'])
  const { currentVersion: current } = body
  const long = typeof current === 'string' && longVersion.test(current) ? current : undefined
  const rounded = long === undefined ? parts.number('currentVersion', current) : undefined
  if (version !== undefined && version !== '') return { version }
  if (long !== undefined) return { version: long }
  if (rounded === undefined) return {}
  return { version: Number.isInteger(rounded) ? `${rounded}.0` : `${rounded}`, isRounded: true }
}

/** Limits the memory for a flood of stages. */
const maxStages = 100

/** Parses the stage records that have a name and a state, and finds the first stage that has moved. Service §2.3. */
function parseStages(list: readonly JsonValue[], parts: PartReader) {
  const stages: StageRecord[] = []
  let moved: MovedStage | undefined
  for (const entry of list) {
    const record = parts.object('status.stages', entry)
    if (record === undefined) continue
    const name = parts.text('status.stages.name', record['name'])
    const state = normalizeState(parts.text('status.stages.state', record['state']))
    const startTime = parts.integer('status.stages.startTime', record['startTime'])
    const lastUpdated = parts.integer('status.stages.lastUpdated', record['lastUpdated'])
    if (name === undefined || state === undefined) parts.note('status.stages')
    else if (stages.length < maxStages) stages.push(buildStage(name, state, { startTime, lastUpdated }))
    if (state !== undefined && !unmovedStageStates.includes(state)) moved ??= { name: name ?? '', state }
  }
  return { stages, moved }
}

/**
 * Builds a stage of the documented fields only, because others must not reach events and documents. Does not spread
 * them: each spread of numbers makes a new hidden class, and a fleet keeps fourteen stages of every site.
 */
export function buildStage(
  name: string,
  state: string,
  { startTime, lastUpdated }: { readonly [time in 'startTime' | 'lastUpdated']?: number | undefined },
): StageRecord {
  if (startTime === undefined)
    return lastUpdated === undefined ? { name, state } : { lastUpdated, name, state }
  return lastUpdated === undefined ? { startTime, name, state } : { startTime, lastUpdated, name, state }
}

const knownStates: readonly string[] = [...stageStates, failedStage]

/** Spells a known state as the document does; returns any other unchanged. */
function normalizeState(state: string | undefined): string | undefined {
  const lower = state?.toLowerCase()
  return knownStates.find(known => known === state || known === lower) ?? state
}

/**
 * Reads parts of a response by their documented types. Null is absent. A value of another type counts as absent, and its path
 * is kept.
 */
class PartReader {
  readonly #paths = new Set<string>()

  text(path: string, value: JsonValue | undefined): string | undefined {
    return typeof value === 'string' ? value : this.#miss(path, value)
  }

  number(path: string, value: JsonValue | undefined): number | undefined {
    return typeof value === 'number' ? value : this.#miss(path, value)
  }

  /** Reads an integer that JavaScript represents exactly. */
  integer(path: string, value: JsonValue | undefined): number | undefined {
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : this.#miss(path, value)
  }

  object(path: string, value: JsonValue | undefined): JsonObject | undefined {
    return isObject(value) ? value : this.#miss(path, value)
  }

  list(path: string, value: JsonValue | undefined): readonly JsonValue[] | undefined {
    return Array.isArray(value) ? value : this.#miss(path, value)
  }

  /** Records the path of a part that is not as documented. */
  note(path: string): void {
    this.#paths.add(path)
  }

  /** The paths of all parts that were of another type, each once. */
  malformed(): readonly string[] {
    return [...this.#paths]
  }

  #miss(path: string, value: JsonValue | undefined): undefined {
    if (value !== undefined && value !== null) this.note(path)
  }
}
