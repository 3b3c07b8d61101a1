import type { OneShotFailure } from '../operations/outcome.js'
import { describeFailure } from './failure-text.js'

/** Describes the failure of a one-shot operation in one sentence; `failed` starts the sentence if it was not carried out. */
export function describeOneShotFailure(outcome: OneShotFailure, operation: string, failed: string): string {
  switch (outcome.kind) {
    case 'not-taken':
      return `${failed}: ${describeFailure(outcome.failure)}`
    case 'unknown':
      return `the outcome of ${operation} is unknown: ${describeFailure(outcome.failure)}`
    case 'references':
      return 'secrets are missing or invalid; nothing was sent'
    case 'interrupted':
      return 'interrupted; nothing was sent'
    default:
      return outcome satisfies never
  }
}
