import type { Difference } from '../apply/wait/site-mark.js'
import { display } from './display.js'

/** By what an answer is of another site. */
export function describeDifference(difference: Difference): string {
  switch (difference.kind) {
    case 'another-version':
      return `version ${display(difference.is)} where ${display(difference.was)} was`
    case 'another-build':
      return `build ${display(difference.is)} where ${display(difference.was)} was`
    case 'another-start':
      return `${display(difference.stage)} began at ${instant(difference.is)}, and not at ${instant(difference.was)}`
    default:
      return difference satisfies never
  }
}

/** A time of the service in words; a number that is no time stays one. */
function instant(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? `${milliseconds}` : date.toISOString()
}
