import type { SiteDifference } from '../apply/wait/observed.js'
import type { Anomaly } from '../apply/wait/reported.js'
import type { Contradiction } from '../plan/observation.js'
import { display } from './display.js'
import { formatDuration } from './phrase.js'

/** Formats a state for people; an undocumented one is spelled as the service reports it. */
export function formatState(state: string): string {
  return display(state.replaceAll('_', ' '), 60)
}

const maxNames = 5

/** Describes an anomaly in one sentence. Texts of the service are untrusted. */
export function describeAnomaly(anomaly: Anomaly): string {
  switch (anomaly.kind) {
    case 'stage-went-back':
      return `warning: ${display(anomaly.stage)} went back from ${formatState(anomaly.from)} to ${formatState(anomaly.to)}; nothing is sent again`
    case 'site-went-back':
      return `warning: the site went back from ${anomaly.from} to ${anomaly.to}; nothing is sent again`
    case 'ready-with-open-stages':
      return `warning: the site is ready, but these stages are not complete: ${formatSome(anomaly.stages)}`
    case 'not-ready-with-closed-stages':
      return 'all stages are complete, but the site does not report ready; still waiting'
    case 'unknown-state':
      return `the site reports the state "${display(anomaly.state, 60)}", ${describeDoubt(anomaly.contradiction)}; still waiting`
    case 'another-version':
    case 'another-build':
    case 'another-emulator':
    case 'another-start':
      return `warning: another site may be responding: ${describeDifference(anomaly)}`
    case 'malformed-parts':
      return `the site reports ${formatSome(anomaly.parts)} in an undocumented shape; values that cannot be read are omitted`
    case 'failed-stage':
      return `warning: ${display(anomaly.stage)} ${anomaly.forMs === 0 ? 'failed' : `has reported a failure for ${formatDuration(anomaly.forMs)}`}, but the site does not report a failure; still waiting. See the logs of the service`
    case 'stood-still':
      return `this process was suspended for ${formatDuration(anomaly.ms)}, which does not count as waiting`
    default:
      return anomaly satisfies never
  }
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

export function describeOtherSite(difference: SiteDifference): string {
  return `another site responds at this address: ${describeDifference(difference)}`
}

/** Describes the difference that shows that another site responds. */
function describeDifference(difference: SiteDifference): string {
  switch (difference.kind) {
    case 'another-version':
      return `version ${display(difference.is)} instead of ${display(difference.was)}`
    case 'another-build':
      return `build ${display(difference.is)} instead of ${display(difference.was)}`
    case 'another-emulator':
      return 'an emulator that was started later'
    case 'another-start':
      return `${display(difference.stage)} started at ${formatInstant(difference.is)} instead of ${formatInstant(difference.was)}`
    default:
      return difference satisfies never
  }
}

function formatInstant(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? `${milliseconds}` : date.toISOString()
}
