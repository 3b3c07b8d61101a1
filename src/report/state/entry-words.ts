import type { SiteState, StateEntry } from '../../state/site-state.js'
import type { MovedTo } from '../../state/state-failure.js'
import { display } from '../display.js'
import { describeHolder, submissionWords } from './submission-words.js'

/** Describes the reason for a version of the state in one sentence. */
export function describeEntry({ entry, lock }: Pick<SiteState, 'entry' | 'lock'>): string {
  switch (entry.type) {
    case 'locked': {
      const who = lock === undefined ? 'a run' : `${display(lock.purpose)} of ${describeHolder(lock.holder)}`
      return `${who} acquired the lock${describeFormer(entry)}`
    }
    case 'renewed':
      return 'the run renewed the lock'
    case 'submission':
      return `configure: ${submissionWords[entry.state]}`
    case 'draining':
      return 'started counting the time in which the request may still arrive'
    case 'plan':
      return `the saved plan ${entry.id.slice(0, 19)}… was used`
    case 'policy':
      return entry.state === 'attempted'
        ? 'the placement policy was about to be sent'
        : 'the placement policy was set'
    case 'receipt':
      return `the run ended: ${display(entry.receipt.outcome)}${formatSteps(entry)}`
    case 'adopted':
      return 'a person asserted how the site is configured'
    case 'released':
      return 'the run released the lock'
    case 'unlocked':
      return `a person removed the lock of ${describeHolder(entry.lock.holder)}`
    case 'moved':
      return `the state moved to ${describePlace(entry)}`
    case 'received':
      return `the state was moved here from ${describePlace(entry.source)}`
    default:
      return entry satisfies never
  }
}

/** Formats the place of a state: a location, an address, or both. */
export function describePlace({ state, site }: MovedTo): string {
  const parts = [state, site].flatMap(part => (part === undefined ? [] : display(part)))
  return parts.length === 0 ? 'its default place' : parts.join(' ')
}

function describeFormer({ former, isGone }: StateEntry & { readonly type: 'locked' }): string {
  if (former === undefined) return ''
  const end = isGone ? 'which had ended' : 'whose lease had expired'
  return `, taking over from ${describeHolder(former.holder)}, ${end}`
}

function formatSteps({ receipt: { actions } }: StateEntry & { readonly type: 'receipt' }): string {
  return actions.length === 0
    ? ''
    : ` (${actions.map(({ operation, change }) => `${operation}: ${change}`).join(', ')})`
}
