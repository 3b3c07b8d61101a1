import { isDocumentedStageName, stageProgress } from '../../contract/responses.js'
import type { Contradiction, Observation } from '../../plan/observation.js'
import { buildStage } from '../decode-root.js'
import { type Reply, type ServiceFailure, toFailure } from '../failure.js'
import type { Redactor } from '../route.js'
import { noSecrets } from './redactor.js'

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
export function redactFailure(failure: ServiceFailure, redact: Redactor): ServiceFailure {
  const entries = Object.entries(failure).map(([name, value]) => [
    name,
    isCode(name, failure) ? value : redactDeep(value as unknown, redact),
  ])
  return Object.fromEntries(entries) as ServiceFailure
}

function isCode(name: string, { kind }: ServiceFailure): boolean {
  if (name === 'reason') return kind === 'not-understood' || kind === 'unauthorized'
  return name === 'kind' || name === 'cause'
}

/** Redacts the failure in a reply. Its value, if it has one, stays. */
export function redactReply<T>(reply: Reply<T>, redact: Redactor): Reply<T> {
  return reply.ok ? reply : toFailure(redactFailure(reply.error, redact))
}

const isVersion = /^\d{1,3}(?:\.\d{1,5}){1,3}$/

/** Redacts an observation. Documented names and states, and versions, stay: they reveal nothing, and every poll has them. */
export function redactObservation(seen: Reply<Observation>, redact: Redactor): Reply<Observation> {
  if (redact === noSecrets) return seen
  if (!seen.ok) return redactReply(seen, redact)
  const { kind, version, warnings, stages, ...more } = seen.value
  const contradiction = 'contradiction' in more ? more.contradiction : undefined
  const value = {
    kind,
    ...redactDeep(more, redact),
    ...(contradiction && { contradiction: redactContradiction(contradiction, redact) }),
    ...(version !== undefined && { version: isVersion.test(version) ? version : redact(version) }),
    warnings: warnings.map(redact),
    stages: stages.map(stage =>
      buildStage(
        isDocumentedStageName(stage.name) ? stage.name : redact(stage.name),
        Object.hasOwn(stageProgress, stage.state) ? stage.state : redact(stage.state),
        stage,
      ),
    ),
  }
  return { ok: true, value: value as Observation }
}

/** Redacts a contradiction. Its kind stays, because it is a word of Landform. */
function redactContradiction(one: Contradiction, redact: Redactor): Contradiction {
  return one.kind === 'warning'
    ? { ...one, text: redact(one.text) }
    : { ...one, name: redact(one.name), state: redact(one.state) }
}
