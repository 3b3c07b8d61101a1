import { reportedSiteStates } from '../contract/field-notes.js'
import { rootResources, siteStates } from '../contract/states.js'
import type { Contradiction, Observation, SiteFacts, StageRecord } from '../plan/observation.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { decodeObject, rejectResponse } from './decode.js'
import type { Reply } from './failure.js'
import { PartReader, toText } from './json.js'
import type { HttpAnswer } from './message.js'
import { parseStages } from './root-stages.js'

/** Limits the memory for a flood of warnings. */
const maxWarnings = 50

/** A root resource as an answer has it, or what else the answer is. Service §2.3. */
export function decodeRoot(answer: HttpAnswer): Reply<Observation> {
  const read = decodeObject(answer)
  if (!read.ok) return read
  const value = parseObservation(read.value)
  return value === undefined
    ? rejectResponse({ status: answer.status, reason: 'not-a-site-root' }, read.value)
    : { ok: true, value }
}

/**
 * Parses the site in a root resource. `status.state` alone decides, in any case of letters; null counts as absent, and a
 * part of another type than documented is left out and named. Without a state, a configuration has begun if the answer
 * shows warnings or a stage that moved, and otherwise the site is not configured. `undefined` for an object that is no
 * root resource, which has a state, or `resources` that name the organizations. Service §2.3, §3.
 */
export function parseObservation(body: JsonObject): Observation | undefined {
  const parts = new PartReader()
  const { status: reported } = body
  const status = reported ?? {}
  const fields = isObject(status) ? status : {}
  const state = isObject(status) ? (status['state'] ?? undefined) : status
  const isReported = isObject(status) && typeof state === 'string'
  if (!isReported && !namesResources(body)) return undefined
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

/** The meanings of the known states; only this one word means failure. Service §3, public sources. */
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

function namesResources({ resources }: JsonObject): boolean {
  return Array.isArray(resources) && resources.includes(organizations)
}

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
      warnings: warnings.filter(isThere).slice(0, maxWarnings).map(toText),
      stages,
      ...(malformed.length > 0 && { malformed }),
    },
    moved,
  }
}

/** Parses `fullVersion`, or else `currentVersion`: a whole number there means that the second number is 0. */
function parseVersion(body: JsonObject, parts: PartReader): Pick<SiteFacts, 'version' | 'isRounded'> {
  const version = parts.text('fullVersion', body['fullVersion'])
  const rounded = parts.number('currentVersion', body['currentVersion'])
  if (version !== undefined && version !== '') return { version }
  if (rounded === undefined) return {}
  return { version: Number.isInteger(rounded) ? `${rounded}.0` : `${rounded}`, isRounded: true }
}

function isThere(value: JsonValue): boolean {
  return value !== null
}
