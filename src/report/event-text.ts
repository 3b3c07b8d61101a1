import type { ApplyEvent } from '../apply/event.js'
import { stageProgress } from '../contract/stages.js'
import type { StageRecord } from '../plan/observation.js'
import { display } from './display.js'
import { formatDuration } from './duration.js'
import { describeFailure } from './failure-text.js'
import { describeOddity } from './oddity-text.js'
import { describeOutcome } from './outcome-text.js'
import { reasonWords } from './plan/plan-words.js'
import { stateWords } from './state-words.js'
import { describeStaleFact } from './wording/stale-plan.js'

type StagesChanged = ApplyEvent & { readonly type: 'stages-changed' }

/** The human sentence of an event, which every rendering of the stream carries. */
export function describeEvent(event: ApplyEvent): string {
  switch (event.type) {
    case 'stream-started':
      return `applying ${display(event.name)} to ${display(event.url)}`
    case 'action-started':
      return `${event.operation}: ${reasonWords[event.reason]}`
    case 'site-locked':
      return event.former === undefined
        ? 'no other run begins anything on this site meanwhile'
        : `taken over from process ${event.former.pid} on ${display(event.former.host)}, ${event.isGone ? 'which is gone' : 'whose hold on the site had ended'}`
    case 'intent-written':
      return 'configure: the promise to send it once is on record'
    case 'submission-adopted':
      return 'configure: an earlier request without an answer was taken, unless somebody configured the site by hand'
    case 'configure-accepted':
      return 'configure: accepted; the service goes on by itself from here'
    case 'configure-begun':
      return 'configure: the site shows that it has begun'
    case 'outcome-unknown':
      return `${event.operation}: ${describeFailure(event.failure)}; it is not sent again, only looked after`
    case 'stages-changed':
      return event.changed.length === 0
        ? progress(event.stages)
        : event.changed.map(describeChange).join(', ')
    case 'observation-failed':
      return `looking at the site failed: ${describeFailure(event.failure)}; trying on`
    case 'observation-restored':
      return `the site can be looked at again, after ${formatDuration(event.failedMs)}`
    case 'site-said':
      return siteWords(event)
    case 'oddity':
      return describeOddity(event.oddity)
    case 'stage-stalled':
      return `${display(event.stage)} has not moved for ${formatDuration(event.unmovedMs)}; the wait goes on`
    case 'stage-moved':
      return `${display(event.stage)} moves again, after ${formatDuration(event.unmovedMs)}`
    case 'heartbeat':
      return `still waiting after ${formatDuration(event.elapsedMs)}: ${unseen(event)}${progress(event.stages)}${left(event.leftMs)}`
    case 'site-ready':
      return `the site is ready after ${formatDuration(event.elapsedMs)}${warnings(event.warnings)}`
    case 'action-finished':
      return `${event.operation}: done`
    case 'record-written':
      return 'what was applied is on record'
    case 'stream-finished':
      return describeOutcome(event.outcome)
    default:
      return event satisfies never
  }
}

/** One stage in its new state. */
export function describeChange({ name, state, durationMs }: StagesChanged['changed'][number]): string {
  const after = durationMs === undefined || durationMs < 1000 ? '' : ` after ${formatDuration(durationMs)}`
  return `${display(name)}: ${stateWords(state)}${after}`
}

/** A time that is left, as it stands behind something else. */
export function left(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : `, about ${formatDuration(milliseconds)} left`
}

function siteWords({ message, warnings }: ApplyEvent & { readonly type: 'site-said' }): string {
  return [
    ...(message === undefined ? [] : [`the site says: ${display(message, 300)}`]),
    ...warnings.map(text => `the site warns: ${display(text, 300)}`),
  ].join('; ')
}

/** Stages that nobody can look at now are not told as if they were. */
function unseen({ failure, stages }: ApplyEvent & { readonly type: 'heartbeat' }): string {
  if (failure === undefined) return ''
  return `looking at the site fails: ${describeFailure(failure)}; ${stages.length === 0 ? '' : 'last seen, '}`
}

/** An event as one line of the machine stream; its schema is `schemas/event.schema.json`. */
export function eventDocument(event: ApplyEvent, now: number) {
  return { ...withTexts(event), at: new Date(now).toISOString(), message: describeEvent(event) }
}

/** The facts of a stale plan have been texts in this format from its first version; their codes are in `facts`. */
function withTexts(event: ApplyEvent) {
  if (event.type !== 'stream-finished' || event.outcome.kind !== 'stale') return event
  const { kind, moved } = event.outcome
  return { ...event, outcome: { kind, moved: moved.map(describeStaleFact), facts: moved } }
}

/** How many stages are through, and which one runs. */
export function progress(stages: readonly StageRecord[]): string {
  const running = stages
    .filter(({ state }) => progressOf(state) === 'running')
    .map(({ name }) => display(name))
  const now = running.length === 0 ? '' : `, now ${running.join(' and ')}`
  return `${stagesThrough(stages)}${now}`
}

/** How many stages are through, in words. */
export function stagesThrough(stages: readonly StageRecord[]): string {
  if (stages.length === 0) return 'no stages are known yet'
  return `${countThrough(stages)} of ${stages.length} stages are through`
}

/** How many stages are through. */
export function countThrough(stages: readonly StageRecord[]): number {
  return stages.filter(({ state }) => progressOf(state) === 'through').length
}

/** What a state says of progress; nothing where it is not documented. */
function progressOf(state: string): string | undefined {
  return Object.hasOwn(stageProgress, state) ? stageProgress[state as keyof typeof stageProgress] : undefined
}

function warnings(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `, with warnings: ${texts.map(text => display(text, 300)).join('; ')}`
}
