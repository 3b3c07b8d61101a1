import { isCertain } from '../client/is-certain.js'
import type { StageRecord } from '../plan/observation.js'
import type { Configure } from '../plan/plan.js'
import type { ApplyRecord } from '../plan/record.js'
import type { StateFailure } from '../state/record-store.js'
import type { Context } from './context.js'
import type { ApplyEvent } from './event.js'
import type { Outcome } from './outcome.js'
import { type WaitEnd, waitUntilReady } from './wait-until-ready.js'
import { forget, noted, writeRecord } from './write-record.js'

/**
 * Creates the organization, or takes up the wait for one that is being created. The request is sent once at most;
 * whatever comes of it, from then on the site is only looked at. Service §4.3.
 */
export async function* configureSite(
  action: Configure,
  manifestDigest: string,
  context: Context,
): AsyncGenerator<ApplyEvent, Outcome> {
  const { client, options, records, clock } = context
  if (action.change === 'no-op') return { kind: 'done' }
  let stages: readonly StageRecord[] = []
  let accepted = true
  let unnoted: StateFailure | undefined
  if (action.change === 'create') {
    const before = await client.observe(options.signal)
    if (options.signal.aborted) return { kind: 'interrupted' }
    if (!before.ok) return { kind: 'not-taken', operation: 'configure', failure: before.failure }
    if (before.value.kind !== 'not-configured')
      return { kind: 'stale', moved: [`the site, which is now ${before.value.kind}`] }
    const opened = await client.openConfigure(action.organization, context.secrets, options.signal)
    if (options.signal.aborted) {
      if (opened.ok) opened.value.discard()
      return { kind: 'interrupted' }
    }
    if (!opened.ok) return { kind: 'not-taken', operation: 'configure', failure: opened.failure }
    const forgotten = await forget(records, 'nothing', ['organization', 'policy'])
    if (forgotten.kind !== 'done') {
      opened.value.discard()
      return forgotten
    }
    // Not stoppable: a request that is cut off half-way has an unknown outcome.
    const reply = await opened.value.send(new AbortController().signal)
    if (reply.ok) {
      stages = reply.value.stages
      // At once, since this run may end before the site is ready, and who attaches later knows nothing of it.
      const note = await noted(records, current =>
        created(current, action, { manifestDigest, now: clock.now() }),
      )
      if (!note.ok) unnoted = note.failure
      yield { type: 'configure-accepted' }
      yield { type: 'stages-changed', changed: [], stages, elapsedMs: 0 }
    } else if (isCertain(reply.failure)) {
      return { kind: 'not-taken', operation: 'configure', failure: reply.failure }
    } else {
      accepted = false
      yield { type: 'outcome-unknown', operation: 'configure', failure: reply.failure }
    }
  }
  if (options.detach && accepted)
    return unnoted === undefined
      ? { kind: 'in-progress', because: 'detached' }
      : { kind: 'not-recorded', after: 'configure', failure: unnoted }
  const waiting = { reader: client, clock, patience: options, random: context.random, stages }
  const end = yield* waitUntilReady(waiting, options.signal)
  const outcome = outcomeOf(end, accepted)
  // Who mends the site may well do it by hand, and what failed must not pass for what the site then has.
  if (outcome.kind === 'site-failed') await forget(records, 'configure', ['organization', 'policy'])
  // Who attaches knows neither who began this configuration nor from which manifest.
  if (outcome.kind !== 'done' || action.change !== 'create') return outcome
  return yield* writeRecord(records, 'configure', current =>
    created(current, action, { manifestDigest, now: clock.now() }),
  )
}

function created(
  record: ApplyRecord,
  { organization, licenses }: Configure & { readonly change: 'create' },
  { manifestDigest, now }: { readonly manifestDigest: string; readonly now: number },
): ApplyRecord {
  const appliedAt = new Date(now).toISOString()
  return { ...record, organization: { appliedAt, manifest: manifestDigest, value: organization, licenses } }
}

function outcomeOf(end: WaitEnd, accepted: boolean): Outcome {
  switch (end.kind) {
    case 'ready':
      return { kind: 'done' }
    case 'failed':
      return { kind: 'site-failed', message: end.observed.message ?? '', stages: end.observed.stages }
    case 'not-begun':
      return {
        kind: 'unknown',
        operation: 'configure',
        reason: 'the configuration was submitted, and the site shows no sign of it',
      }
    case 'interrupted':
      return accepted
        ? { kind: 'in-progress', because: 'interrupted' }
        : {
            kind: 'unknown',
            operation: 'configure',
            reason: 'the wait was interrupted before the site showed anything',
          }
    case 'timeout':
      // Accepted and then never heard of again is no doubt about the request.
      if (accepted && end.last === undefined) return { kind: 'in-progress', because: 'timeout' }
      if (end.last?.kind === 'in-progress' || end.last?.kind === 'ready')
        return { kind: 'in-progress', because: 'timeout' }
      return { kind: 'unknown', operation: 'configure', reason: lastWords(end) }
    default:
      return end satisfies never
  }
}

function lastWords({ last }: WaitEnd & { kind: 'timeout' }): string {
  if (last === undefined) return 'the site did not answer once in all the time'
  return last.kind === 'unrecognized'
    ? `the site reports the state "${last.state}", which is not documented`
    : `the site is ${last.kind}`
}
