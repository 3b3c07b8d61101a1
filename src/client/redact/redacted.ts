import { findStageProgress, isDocumentedStageName } from '../../contract/responses.js'
import type { Contradiction, Observation } from '../../plan/observation.js'
import { buildStage } from '../decode-root.js'
import { type Reply, type ServiceFailure, toFailure } from '../failure.js'
import type { Redaction, Redactor } from '../route.js'
import { noSecrets } from './redactor.js'
import { withhold } from './withheld.js'

/** Redacts every text in a value, and the names of its fields. */
export function redactDeep<T>(value: T, redact: Redactor): T {
  return redactValue(value, redact, 0) as T
}

/** No documented answer is deeper. */
const maxDepth = 50

function redactValue(value: unknown, redact: Redactor, depth: number): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return null
  const inner = (one: unknown) => redactValue(one, redact, depth + 1)
  if (Array.isArray(value)) return value.map(inner)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), inner(one)]))
}

/** Redacts the texts of the service in a failure. The codes of Landform stay. */
export function redactFailure(failure: ServiceFailure, redaction: Redaction): ServiceFailure {
  const codes = Object.entries(failure).filter(([name]) => isCode(name, failure))
  return { ...redactMembers(failure, redaction), ...Object.fromEntries(codes) }
}

/** The members that have what a site says freely. */
const freeMembers: readonly string[] = ['message', 'details', 'messages']

/** Selects the redactor for the free words of a site. */
function wordsOf({ redact, isComplete }: Redaction): Redactor {
  return isComplete ? redact : text => withhold(redact(text))
}

function isCode(name: string, { kind }: ServiceFailure): boolean {
  if (name === 'reason') return kind === 'not-understood' || kind === 'unauthorized'
  return name === 'kind' || name === 'cause'
}

/** Redacts the failure in a reply. Its value, if it has one, stays. */
export function redactReply<T>(reply: Reply<T>, redaction: Redaction): Reply<T> {
  return reply.ok ? reply : toFailure(redactFailure(reply.error, redaction))
}

/** Redacts the texts of a value by their members. */
export function redactMembers<T extends object>(value: T, redaction: Redaction): T {
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    redactDeep(one as unknown, freeMembers.includes(name) ? wordsOf(redaction) : redaction.redact),
  ])
  return Object.fromEntries(entries) as T
}

const isVersion = /^\d{1,3}(?:\.\d{1,5}){1,3}$/

/** Redacts an observation. Documented names and states, and versions, stay: they reveal nothing, and every poll has them. */
export function redactObservation(seen: Reply<Observation>, redaction: Redaction): Reply<Observation> {
  const { redact, isComplete } = redaction
  if (redact === noSecrets && isComplete) return seen
  if (!seen.ok) return redactReply(seen, redaction)
  const words = wordsOf(redaction)
  const { kind, version, warnings, stages, ...more } = seen.value
  const contradiction = 'contradiction' in more ? more.contradiction : undefined
  const value = {
    kind,
    ...redactMembers(more, redaction),
    ...('state' in more && { state: words(more.state) }),
    ...(contradiction && { contradiction: redactContradiction(contradiction, words) }),
    ...(version !== undefined && redactVersion(version, redaction)),
    warnings: warnings.map(words),
    stages: stages.map(stage =>
      buildStage(
        isDocumentedStageName(stage.name) ? stage.name : words(stage.name),
        findStageProgress(stage.state) === undefined ? words(stage.state) : stage.state,
        stage,
      ),
    ),
  }
  return { ok: true, value: value as Observation }
}

/** A version in another form is a free text. Without it, nothing is said of the version: a mark would be another one. */
function redactVersion(version: string, { redact, isComplete }: Redaction): { readonly version?: string } {
  if (isVersion.test(version)) return { version }
  return isComplete ? { version: redact(version) } : {}
}

/** Redacts a contradiction. Its kind stays, because it is a word of Landform. */
function redactContradiction(one: Contradiction, words: Redactor): Contradiction {
  return one.kind === 'warning'
    ? { ...one, text: words(one.text) }
    : { ...one, name: words(one.name), state: words(one.state) }
}
