import { allOf, didYouMean, paragraph, quoted, shortList } from '../words.js'
import { entry } from './entry.js'
import {
  describeUnmet,
  describeValueProblem,
  type PolicyValueProblem,
  type UnmetRequirements,
} from './policy-wording.js'

/** A rule that does not hold. */
export interface Broken {
  readonly rule: string
  /** The message that the team wrote, if any. */
  readonly message: string | undefined
  readonly unmet: UnmetRequirements
}

/** The words of the team first; a list of findings has no full stops. */
const broken = {
  message: ({ rule, message, unmet }: Broken) =>
    `${quoted(rule)}: ${message?.replace(/\.$/, '') ?? describeUnmet(unmet)}`,
  help: ({ message, unmet }: Broken) => (message === undefined ? undefined : describeUnmet(unmet)),
}

/** Rules that a team keeps beside its manifests. */
export const policyEntries = {
  'policy/violated': entry<Broken>({
    severity: 'error',
    phase: 'rules',
    marks: 'value',
    source: 'Landform',
    title: 'A rule of the team is violated',
    ...broken,
    explanation: paragraph(
      'A `landform.policy.yaml` beside the manifest or in a folder above it, or one named with `--policy`, has this rule.',
      'The note says where. No comment in the manifest silences it, for the rule belongs to the team.',
      'Change the value, or talk with those who keep the policy.',
    ),
  }),
  'policy/advised': entry<Broken>({
    severity: 'warning',
    phase: 'rules',
    marks: 'value',
    source: 'Landform',
    title: 'A rule of the team advises against this',
    ...broken,
    explanation: paragraph(
      'A `landform.policy.yaml` beside the manifest or in a folder above it, or one named with `--policy`, has this rule.',
      'Its level is `warning`, so it stops nothing, and a comment with a reason silences it.',
    ),
  }),
  'policy/field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'key',
    source: 'Landform',
    title: 'A field that a policy does not have',
    message: ({ field }) => `there is no field ${quoted(field)} at this place of a policy`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `there is ${allOf(allowed)}`,
    explanation: paragraph(
      'What is not known would be left out, and the rule would allow more than it says.',
      '`schemas/policy.schema.json` has every field, and `landform schema --policy` prints it.',
    ),
  }),
  'policy/path': entry<{
    readonly path: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'key',
    source: 'Landform',
    title: 'A path that no manifest has',
    message: ({ path }) => `no manifest has ${path === '' ? 'a field without a name' : quoted(path)}`,
    help: ({ suggestion, allowed }) =>
      didYouMean(suggestion) ?? (allowed.length === 0 ? undefined : `there is ${shortList(allowed)}`),
    explanation: paragraph(
      'A rule about a field that does not exist would say nothing, or the same of every manifest.',
      'A path is written with dots from the top, such as `spec.profile`, and `*` stands for every member or element.',
      'The rest of a path behind `labels` is one key. `landform explain spec` lists fields.',
    ),
  }),
  'policy/value': entry<{
    /** Text where the file does not fit its schema. */
    readonly problem: PolicyValueProblem | string
    readonly suggestion: string | undefined
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'value',
    source: 'Landform',
    title: 'A value that a policy cannot have',
    message: ({ problem }) => (typeof problem === 'string' ? problem : describeValueProblem(problem)),
    help: ({ suggestion }) => didYouMean(suggestion),
    explanation: paragraph(
      'A comparison that can never come out one way or the other is a slip: the rule would allow everything, or nothing.',
      'So values are held against what the field of a manifest can be.',
    ),
  }),
  'policy/test': entry<{
    readonly rule: string
    readonly expected: string
    readonly actual: string
    readonly unmet: UnmetRequirements | undefined
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'value',
    source: 'Landform',
    title: 'A test of a rule comes out otherwise',
    message: ({ rule, expected, actual }) =>
      `the test expects ${quoted(expected)}, and ${quoted(rule)} says ${quoted(actual)}`,
    help: ({ unmet }) => unmet && describeUnmet(unmet),
    explanation: paragraph(
      'The tests of a rule show what it is for, and hold it when it is changed.',
      'Each has parts of a manifest and the verdict: `pass`, `violation`, or `not-applicable` where `when` does not hold.',
      'Mend the rule or the test; until then the policy is not used.',
    ),
  }),
} as const
