import type { ApplyEvent } from '../apply/generated/event.js'
import type { Outcome, Receipt } from '../apply/outcome.js'
import type { ServiceFailure } from '../client/failure.js'
import { findStageProgress } from '../contract/responses.js'
import type { DeleteOutcome, ExportOutcome } from '../operations/outcome.js'
import type { StageRecord } from '../plan/observation.js'
import { type Plan, sendsRequests } from '../plan/plan.js'
import { buildPlanDocument } from '../plan/saved/plan-document.js'
import { describeAnomaly, formatState } from './anomalies.js'
import { display } from './display.js'
import { describeEnding, describeOutcome, describeUserTypes, endOfApply } from './endings/apply.js'
import { describeFailure } from './endings/service.js'
import { diagnosticDocument } from './findings.js'
import { formatDuration } from './phrase.js'
import { describeStaleFact, reasonWords } from './plan-words.js'
import type { Sent } from './sent.js'

type StagesChanged = ApplyEvent & { readonly type: 'stages-changed' }

/** Describes an event in one sentence, which every rendering of the stream carries. */
export function describeEvent(event: ApplyEvent): string {
  switch (event.type) {
    case 'stream-started':
      return `applying ${display(event.name)} to ${display(event.url)}`
    case 'action-started':
      return `${event.operation}: ${reasonWords[event.reason]}`
    case 'site-locked':
      return event.former === undefined
        ? 'lock acquired'
        : `lock taken over from process ${event.former.pid} on ${display(event.former.host)}, ${event.isGone ? 'which has ended' : 'whose lease had expired'}`
    case 'user-type-unlisted':
      return `configure: warning: ${describeUserTypes(event)}; sending the request anyway`
    case 'intent-written':
      return 'configure: submission intent recorded; sending the request once'
    case 'intent-not-noted':
      return `configure: warning: the submission intent could not be noted on this machine${event.folder === undefined ? '' : ` (${display(event.folder)})`}, so only the state prevents a second request: set XDG_STATE_HOME to a persistent folder`
    case 'submission-adopted':
      return 'configure: the unconfirmed request was accepted, unless somebody configured the site by hand'
    case 'configure-accepted':
      return 'configure: accepted; configuration continues on the service'
    case 'configure-begun':
      return 'configure: the site reports that configuration has started'
    case 'outcome-unknown':
      return `${event.operation}: ${describeFailure(event.failure)}; ${event.operation === 'configure' ? 'not retrying, watching the site' : 'checking the site before a retry'}`
    case 'stages-changed':
      return event.changed.length === 0
        ? formatProgress(event.stages)
        : event.changed.map(describeChange).join(', ')
    case 'observation-failed':
      return `polling the site failed: ${describeFailure(event.failure)}; ${suggestAfterPoll(event.failure)}`
    case 'observation-restored':
      return `polling the site succeeds again after ${formatDuration(event.failedMs)}`
    case 'site-said':
      return describeSiteMessage(event)
    case 'anomaly':
      return describeAnomaly(event.anomaly)
    case 'stage-stalled':
      return `${display(event.stage)} has made no progress for ${formatDuration(event.unmovedMs)}; still waiting`
    case 'stage-moved':
      return `${display(event.stage)} makes progress again after ${formatDuration(event.unmovedMs)}`
    case 'heartbeat':
      return describeHeartbeat(event)
    case 'site-ready':
      return `the site is ready after ${formatDuration(event.elapsedMs)}${formatWarnings(event.warnings)}`
    case 'action-finished':
      return `${event.operation}: done`
    case 'record-written':
      return 'apply recorded'
    case 'stream-finished':
      return describeOutcome(event.outcome)
    default:
      return event satisfies never
  }
}

/** Describes one stage in its new state. */
export function describeChange({ name, state, durationMs }: StagesChanged['changed'][number]): string {
  const after = durationMs === undefined || durationMs < 1000 ? '' : ` after ${formatDuration(durationMs)}`
  return `${display(name)}: ${formatState(state)}${after}`
}

function describeHeartbeat(event: ApplyEvent & { readonly type: 'heartbeat' }): string {
  const { elapsedMs, failure, stages, leftMs, said } = event
  const seen = stages.length === 0 ? '' : 'last seen, '
  const polls = failure === undefined ? '' : `polling the site fails: ${describeFailure(failure)}; ${seen}`
  const left = leftMs === undefined ? '' : `, about ${formatDuration(leftMs)} left`
  // The response to `configure` is the only fact about it.
  const answer = said === undefined ? '' : `; the response to configure was: ${display(said, 200)}`
  return `still waiting after ${formatDuration(elapsedMs)}: ${polls}${formatProgress(stages)}${left}${answer}`
}

function describeSiteMessage({ message, warnings }: ApplyEvent & { readonly type: 'site-said' }): string {
  return [
    ...(message === undefined ? [] : [`the site reports: ${display(message, 300)}`]),
    ...warnings.map(text => `the site warns: ${display(text, 300)}`),
  ].join('; ')
}

/** Builds one line of the machine-readable stream from an event; its schema is `schemas/event.schema.json`. */
export function eventDocument(event: ApplyEvent, now: number) {
  return { ...withTexts(event), at: new Date(now).toISOString(), message: describeEvent(event) }
}

/** Adds the texts of the facts of a stale plan, which the format has had from its first version; their codes are in `facts`. */
function withTexts(event: ApplyEvent) {
  if (event.type !== 'stream-finished' || event.outcome.kind !== 'stale') return event
  const { kind, moved } = event.outcome
  return { ...event, outcome: { kind, moved: moved.map(describeStaleFact), facts: moved } }
}

/** Formats the number of complete stages, and the running ones. */
export function formatProgress(stages: readonly StageRecord[]): string {
  const running = stages
    .filter(({ state }) => findStageProgress(state) === 'running')
    .map(({ name }) => display(name))
  const now = running.length === 0 ? '' : `, now ${running.join(' and ')}`
  return `${formatStageCount(stages)}${now}`
}

/** Formats the number of complete stages. */
export function formatStageCount(stages: readonly StageRecord[]): string {
  if (stages.length === 0) return 'no stages reported yet'
  return `${countCompleteStages(stages)} of ${stages.length} stages complete`
}

/** Counts the complete stages, including those that do not apply. */
export function countCompleteStages(stages: readonly StageRecord[]): number {
  return stages.filter(({ state }) => findStageProgress(state) === 'through').length
}

function formatWarnings(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `, with warnings: ${texts.map(text => display(text, 300)).join('; ')}`
}

/** The machine form of a receipt; its schema is `schemas/receipt.schema.json`. */
export function receiptDocument(
  plan: Plan,
  { outcome, ...times }: Receipt,
  details: Pick<EndFacts, 'next' | 'exitCode'>,
) {
  const message = describeEnding(outcome, plan)
  const sent = outcome.kind === 'done' && !sendsRequests(plan) ? 'nothing' : endOfApply(outcome).sent
  const ending = endDocument(outcome, { ...details, ...times, message, sent })
  return { formatVersion: 1, ...ending, plan: buildPlanDocument(plan) } as const
}

/** The end of an operation, besides its outcome. */
export interface EndFacts {
  readonly message: string
  readonly sent: Sent
  readonly next: readonly string[]
  readonly exitCode: number
  readonly startedAt: string
  readonly finishedAt: string
}

/** The members that the machine forms of all operations share. */
export function endDocument(outcome: Outcome | ExportOutcome | DeleteOutcome, ending: EndFacts) {
  const { message, sent, next, exitCode, startedAt, finishedAt } = ending
  return {
    outcome: outcome.kind,
    exitCode,
    message,
    sent,
    ...(next.length > 0 && { next: next.join('\n') }),
    startedAt,
    finishedAt,
    diagnostics: outcome.kind === 'references' ? outcome.diagnostics.map(diagnosticDocument) : [],
  } as const
}

function suggestAfterPoll(failure: ServiceFailure): string {
  return failure.kind === 'unauthorized' && failure.isTokenless === true
    ? 'no token is available, so this run ends after another try; `spec.site.signIn` obtains one, and the next run resumes the wait'
    : 'retrying'
}
