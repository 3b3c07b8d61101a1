import type { Adopted } from '../../apply/adopt-site.js'
import { describeLocked, describeSubmission } from '../state-summary.js'
import { endings } from './ending.js'
import { endOfState } from './state.js'

/** The endings of an adoption that wrote nothing. */
export const endOfAdoption = endings<Exclude<Adopted, { readonly kind: 'adopted' }>>({
  'recorded-already': {
    title: 'the site to adopt is recorded already',
    say: ({ asserted }) =>
      `the site is recorded already, ${asserted ? 'as asserted by a person' : 'as applied by Landform'}; nothing was written`,
    exit: 'stale',
    next: (_, { show, plan }) => [
      `see the record: \`${show}\``,
      `to record single fields that changed on the site: \`${plan}\` lists them, with the command`,
    ],
  },
  pending: {
    title: 'a request to the site to adopt may be under way',
    say: ({ submission }) =>
      `a request of Landform may be under way (${describeSubmission(submission)}); nothing was written`,
    exit: 'unknown',
    next: (_, { show }) => `see its state: \`${show}\``,
  },
  locked: {
    say: ({ lock }) => `${describeLocked(lock)}; nothing was written`,
    exit: 'locked',
    next: (_, { show }) => `see the lock: \`${show}\``,
  },
  'not-recorded': endOfState,
})
