import { findStageProgress, isDocumentedStageName } from '../../contract/responses.js'
import type { Contradiction, Observation } from '../../plan/observation.js'
import { isCode } from '../../plan/site-texts.js'
import { buildStage } from '../decode-root.js'
import { type Reply, type ServiceFailure, toFailure } from '../failure.js'
import type { Redaction, Redactor } from '../route.js'
import { mark, maxCharacters, minBytes, noSecrets } from './redactor.js'
import { withhold } from './withheld.js'

/** Redacts every text in a value, and the names of its fields. */
export function redactDeep<T>(value: T, redact: Redactor): T {
  return redactValue(value, redact, 0) as T
}

/** No documented response is deeper. */
const maxDepth = 50

function redactValue(value: unknown, redact: Redactor, depth: number): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return null
  const inner = (one: unknown) => redactValue(one, redact, depth + 1)
  if (Array.isArray(value)) return value.map(inner)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), inner(one)]))
}

/** The least that a text counts towards the limit, because searching even a short text takes time. */
const textCost = 32

/** Limits the total length of the texts of one response that are searched. Texts beyond the limit are replaced as a whole. */
export function boundSum(redaction: Redaction): Redaction {
  if (redaction.redact === noSecrets) return redaction
  let left = maxCharacters
  const redact: Redactor = text => {
    if (text.length < minBytes) return redaction.redact(text)
    const cost = Math.max(text.length, textCost)
    if (cost > left) return mark
    left -= cost
    return redaction.redact(text)
  }
  return { ...redaction, redact }
}

/** Redacts the texts of the service in a failure. The codes of Landform stay. */
export function redactFailure(failure: ServiceFailure, redaction: Redaction): ServiceFailure {
  const codes = Object.entries(failure).filter(([name]) => isOwnCode(name, failure))
  return { ...redactMembers(failure, redaction), ...Object.fromEntries(codes) }
}

function isOwnCode(name: string, failure: ServiceFailure): boolean {
  const { kind } = failure
  if (name === 'reason') return kind === 'not-understood' || kind === 'unauthorized'
  if (name === 'message') return kind === 'unauthorized' && failure.reason === 'no-secret'
  return name === 'kind' || name === 'cause'
}

/** The members with texts of Landform, of this machine or of TLS. All others have the words of a site. */
const ownMembers: readonly string[] = ['reason', 'to', 'proxy', 'certificate', 'malformed']

/** Selects the redactor for the words of a site. A process that cannot know all secrets in them keeps only codes. */
function wordsOf({ redact, isComplete, declared }: Redaction): Redactor {
  if (isComplete) return redact
  return text => (isCode(text) || declared?.has(text) ? text : withhold(redact(text)))
}

/** Redacts words of a site. */
export function redactWords(words: readonly string[], redaction: Redaction): readonly string[] {
  return words.map(wordsOf(boundSum(redaction)))
}

/** Redacts the failure in a reply. Its value, if it has one, stays. */
export function redactReply<T>(reply: Reply<T>, redaction: Redaction): Reply<T> {
  return reply.ok ? reply : toFailure(redactFailure(reply.error, redaction))
}

/** Redacts the texts of a value, each by the member that contains it. */
export function redactMembers<T extends object>(value: T, redaction: Redaction): T {
  const bounded = boundSum(redaction)
  const words = wordsOf(bounded)
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    redactDeep(one as unknown, ownMembers.includes(name) ? bounded.redact : words),
  ])
  return Object.fromEntries(entries) as T
}

const isVersion = /^\d{1,3}(?:\.\d{1,5}){1,3}$/

/** Redacts an observation. Documented names and states, and versions, stay: they reveal nothing, and every poll has them. */
export function redactObservation(seen: Reply<Observation>, redaction: Redaction): Reply<Observation> {
  const { redact, isComplete } = redaction
  if (redact === noSecrets && isComplete) return seen
  if (!seen.ok) return redactReply(seen, redaction)
  const bounded = boundSum(redaction)
  const words = wordsOf(bounded)
  const { kind, version, build, emulator, warnings, stages, ...more } = seen.value
  const contradiction = 'contradiction' in more ? more.contradiction : undefined
  // These texts identify the site, and a placeholder would look like another site. So an unsafe text is left out.
  const keep = (name: string, text: string, isCodeOf?: (text: string) => boolean) =>
    isComplete || isCodeOf?.(text) ? { [name]: bounded.redact(text) } : {}
  const value = {
    kind,
    ...redactMembers(more, bounded),
    ...(contradiction && { contradiction: redactContradiction(contradiction, words) }),
    ...(version !== undefined && (isVersion.test(version) ? { version } : keep('version', version))),
    ...(build !== undefined && keep('build', build, isCode)),
    ...(emulator !== undefined && keep('emulator', emulator, text => /^[\da-f]{16}$/.test(text))),
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

/** Redacts a contradiction. Its kind stays, because it is a word of Landform. */
function redactContradiction(one: Contradiction, words: Redactor): Contradiction {
  return one.kind === 'warning'
    ? { ...one, text: words(one.text) }
    : { ...one, name: words(one.name), state: words(one.state) }
}
