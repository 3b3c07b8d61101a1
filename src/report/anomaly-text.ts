import type { Anomaly } from '../apply/wait/anomalies.js'
import type { Contradiction } from '../plan/observation.js'
import { describeDifference } from './difference-text.js'
import { display } from './display.js'
import { formatDuration } from './duration.js'
import { formatState } from './state-words.js'

const maxNames = 5

/** Describes an anomaly in one sentence. Texts of the service are untrusted. */
export function describeAnomaly(oddity: Anomaly): string {
  switch (oddity.kind) {
    case 'stage-went-back':
      return `warning: ${display(oddity.stage)} went back from ${formatState(oddity.from)} to ${formatState(oddity.to)}; nothing is sent again`
    case 'site-went-back':
      return `warning: the site went back from ${oddity.from} to ${oddity.to}; nothing is sent again`
    case 'ready-with-open-stages':
      return `warning: the site is ready, but these stages are not complete: ${formatSome(oddity.stages)}`
    case 'not-ready-with-closed-stages':
      return 'all stages are complete, but the site does not report ready; still waiting'
    case 'unknown-state':
      return `the site reports the state "${display(oddity.state, 60)}", ${describeDoubt(oddity.contradiction)}; still waiting`
    case 'another-version':
    case 'another-build':
    case 'another-start':
      return `warning: another site may be responding: ${describeDifference(oddity)}`
    case 'malformed-parts':
      return `the site reports ${formatSome(oddity.parts)} in an undocumented shape; values that cannot be read are omitted`
    case 'failed-stage':
      return `warning: ${display(oddity.stage)} ${describeFailureTime(oddity.forMs)}, but the site does not report a failure; still waiting. See the logs of the service`
    case 'stood-still':
      return `this process was suspended for ${formatDuration(oddity.ms)}, which does not count as waiting`
    default:
      return oddity satisfies never
  }
}

function describeFailureTime(ms: number): string {
  return ms === 0 ? 'failed' : `has reported a failure for ${formatDuration(ms)}`
}

/** Explains the doubt about a reported state. */
export function describeDoubt(contradiction: Contradiction | undefined): string {
  if (contradiction === undefined) return 'which is not documented'
  if (contradiction.kind === 'warning') return `and also warns: ${display(contradiction.text, 200)}`
  const { name, state } = contradiction
  return `and also the stage ${display(name === '' ? 'without a name' : name, 60)} as ${formatState(state)}`
}

function formatSome(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(name => display(name, 60))
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
