import type { SiteDifference } from '../apply/wait/observed.js'
import { display } from './display.js'

/** Describes the difference that gives away another site. */
export function describeDifference(difference: SiteDifference): string {
  switch (difference.kind) {
    case 'another-version':
      return `version ${display(difference.is)} instead of ${display(difference.was)}`
    case 'another-build':
      return `build ${display(difference.is)} instead of ${display(difference.was)}`
    case 'another-start':
      return `${display(difference.stage)} started at ${formatInstant(difference.is)} instead of ${formatInstant(difference.was)}`
    default:
      return difference satisfies never
  }
}

/** Formats a time of the service; a number that is not a valid time is printed as it is. */
function formatInstant(milliseconds: number): string {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? `${milliseconds}` : date.toISOString()
}
