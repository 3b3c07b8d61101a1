import type { Oddity } from '../apply/wait/oddities.js'
import { display } from './display.js'
import { formatDuration } from './duration.js'
import { stateWords } from './state-words.js'

const mostNames = 5

/** What does not fit, in one sentence. Texts of the service are untrusted. */
export function describeOddity(oddity: Oddity): string {
  switch (oddity.kind) {
    case 'stage-went-back':
      return `warning: ${display(oddity.stage)} went back from ${stateWords(oddity.from)} to ${stateWords(oddity.to)}; nothing is sent again`
    case 'site-went-back':
      return `warning: the site went back from ${oddity.from} to ${oddity.to}; nothing is sent again`
    case 'ready-with-open-stages':
      return `warning: the site is ready, with stages that are not: ${some(oddity.stages)}`
    case 'not-ready-with-closed-stages':
      return 'all stages are through, and the site does not say that it is ready; the wait goes on'
    case 'unknown-state':
      return `the site reports the state "${display(oddity.state, 60)}", which is not documented; the wait goes on`
    case 'another-version':
      return `warning: version ${display(oddity.is)} answers where ${display(oddity.was)} did: it may be another site`
    case 'stood-still':
      return `this process stood still for ${formatDuration(oddity.ms)}, which does not count as waiting`
    default:
      return oddity satisfies never
  }
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map(name => display(name, 60))
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
