import type { Setback } from '../operations/outcome.js'
import { describeFailure } from './failure-text.js'

/** How a one-shot operation ended short of success, in one sentence. `failed` begins the one about what did not happen. */
export function describeSetback(outcome: Setback, operation: string, failed: string): string {
  switch (outcome.kind) {
    case 'not-taken':
      return `${failed}: ${describeFailure(outcome.failure)}`
    case 'unknown':
      return `the outcome of ${operation} is unknown: ${describeFailure(outcome.failure)}`
    case 'references':
      return 'nothing was sent: secrets are missing or unfit'
    case 'interrupted':
      return 'interrupted; nothing was sent'
    default:
      return outcome satisfies never
  }
}
