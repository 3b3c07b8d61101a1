import type { Blocker } from '../../plan/plan.js'
import type { MarkDifference } from '../../plan/site-mark.js'
import type { SubmissionState } from '../../plan/submission.js'
import { describeDoubt, describeOtherSite } from '../anomalies.js'
import { display } from '../display.js'
import { endings } from './ending.js'

/** The endings of a command that is blocked by the observed state of the site. */
export const endOfBlocker = endings<Blocker & { readonly done?: 'planned' | 'compared' }>({
  'site-failed': {
    say: ({ observed: { message, assumed } }) =>
      `the service reports that the configuration failed: ${display(message ?? (assumed ? 'as of the last observation' : 'no reason given'))}`,
    exit: 'serviceFailed',
    next: (_, { plan }) => [
      'check the logs of the service',
      `undeploy and redeploy the site, then run \`${plan}\``,
    ],
  },
  'site-unrecognized': {
    title: 'the site reports an unknown state',
    say: ({ observed, done = 'planned' }) =>
      `the site reports the state "${display(observed.state)}", ${describeDoubt(observed.contradiction)}, so nothing is ${done}`,
    exit: 'unknown',
    next: (_, { plan }) => `check the site itself, then run \`${plan}\``,
  },
  'site-too-old': {
    say: 'the site is older than the manifest requires',
    exit: 'stale',
    end: 'refused',
    next: () => 'upgrade the site first, or remove the marked fields',
  },
  'site-replaced': {
    say: ({ submission, difference }) => {
      if (difference !== undefined) return describeOtherSite(difference)
      const { state, changedAt, organization } = submission
      const before = organization.asserted
        ? `a person asserted at ${changedAt} that it has one`
        : `${startedWords[state]} at ${changedAt}`
      return `the site no longer reports a configuration, though ${before}: it may be another site at the same address`
    },
    exit: 'stale',
    end: 'ambiguous',
    next({ submission, difference }, { discardIntent, plan }) {
      const discard = discardIntent(submission.nonce)
      return difference === undefined
        ? [`if the site was redeployed and must be configured again: \`${discard}\``, `then run \`${plan}\``]
        : [
            'find out which site responds there: nothing is sent to it',
            ...suggestSiteIs(discard, difference),
            `then run \`${plan}\``,
          ]
    },
  },
})

const startedWords: Readonly<Partial<Record<SubmissionState, string>>> = {
  begun: 'a configuration had started',
  ready: 'it was ready',
  failed: 'its configuration had failed',
}

/** Suggests a command for each case: the site was upgraded, or it is another site. */
export function suggestSiteIs(discard: string, { kind }: MarkDifference): readonly string[] {
  if (kind === 'another-emulator') return [`if the one that was configured is gone: \`${discard}\``]
  return [
    `if it is the same site, upgraded since: \`${discard} --site-is upgraded\`, which keeps the record`,
    `if it is another site, and the one that was configured is gone: \`${discard} --site-is another\``,
  ]
}
