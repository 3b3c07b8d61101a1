import type { MissingPermission } from '../../library/problem.js'
import { display } from '../display.js'
import { formatDuration } from '../phrase.js'
import { endings } from './ending.js'

const forbid = (file: string, why: string) => `the policy ${display(file)} does not permit this plan: ${why}`

/** The endings of a command whose plan a policy does not permit. */
export const endOfViolation = endings<MissingPermission['violation'] & { readonly file: string }>({
  unsigned: {
    title: 'the policy requires a signed plan',
    say: ({ file }) =>
      forbid(file, "creating an organization requires a saved plan signed by one of the policy's keys"),
    exit: 'refused',
    next: (_, { sign }) => `sign a plan with one of the keys: \`${sign}\`; then apply plan.json`,
  },
  old: {
    title: 'the plan is older than the policy permits',
    say: ({ file, maxAgeMs }) => forbid(file, `it is older than ${formatDuration(maxAgeMs)}`),
    exit: 'refused',
    next: () => 'plan again, and review the new plan',
  },
  closed: {
    title: 'the policy permits no changes at this time',
    say: ({ file, hours: { days, start, end, timeZone } }) =>
      forbid(
        file,
        `changes are permitted on ${days.join(', ')} from ${start} to ${end} (${display(timeZone)})`,
      ),
    exit: 'refused',
    next: () => 'apply it at one of these times',
  },
})
