import { formatAll, formatShortList, formatSuggestion, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'
import {
  describeUnmet,
  describeValueProblem,
  type PolicyValueProblem,
  type UnmetRequirements,
} from './policy-wording.js'

/** The facts about a violated rule. */
export interface PolicyViolation {
  readonly rule: string
  /** The message of the team, if the rule has one. */
  readonly message: string | undefined
  readonly unmet: UnmetRequirements
}

/** Shows the message of the team first; findings have no full stop at the end. */
const violationWording = {
  message: ({ rule, message, unmet }: PolicyViolation) =>
    `${quote(rule)}: ${message?.replace(/\.$/, '') ?? describeUnmet(unmet)}`,
  help: ({ message, unmet }: PolicyViolation) => (message === undefined ? undefined : describeUnmet(unmet)),
}

/** Policies of a team. */
export const policyEntries = {
  'policy/violated': defineEntry<PolicyViolation>({
    severity: 'error',
    phase: 'rules',
    marks: 'value',
    source: 'Landform',
    title: 'A policy rule is violated',
    ...violationWording,
    explanation: () =>
      joinSentences(
        'The rule is in a `landform.policy.yaml` next to the manifest or in a parent folder, or in a file passed with `--policy`.',
        'The note shows the place. A comment in the manifest cannot silence it, because the rule belongs to the team.',
        'Change the value, or ask the owners of the policy.',
      ),
  }),
  'policy/advised': defineEntry<PolicyViolation>({
    severity: 'warning',
    phase: 'rules',
    marks: 'value',
    source: 'Landform',
    title: 'A policy rule warns about this',
    ...violationWording,
    explanation: () =>
      joinSentences(
        'The rule is in a `landform.policy.yaml` next to the manifest or in a parent folder, or in a file passed with `--policy`.',
        'Its level is `warning`, so it does not stop a command, and a comment with a reason silences it.',
      ),
  }),
  'policy/field': defineEntry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'key',
    source: 'Landform',
    title: 'Unknown field in a policy',
    message: ({ field }) => `unknown field ${quote(field)} in a policy`,
    help: ({ suggestion, allowed }) => formatSuggestion(suggestion) ?? `allowed here: ${formatAll(allowed)}`,
    explanation: () =>
      joinSentences(
        'An unknown field would be ignored, and the rule would allow more than intended.',
        '`schemas/policy.schema.json` defines every field, and `landform schema --policy` prints it.',
      ),
  }),
  'policy/path': defineEntry<{
    readonly path: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'key',
    source: 'Landform',
    title: 'Unknown path in a policy',
    message: ({ path }) => (path === '' ? 'the path is empty' : `a manifest has no field ${quote(path)}`),
    help: ({ suggestion, allowed }) =>
      formatSuggestion(suggestion) ??
      (allowed.length === 0 ? undefined : `allowed here: ${formatShortList(allowed)}`),
    explanation: () =>
      joinSentences(
        'A rule about a field that does not exist would have no effect, or the same result for every manifest.',
        'A path uses dots from the top, such as `spec.profile`, and `*` matches every member or element.',
        'Everything after `labels` is one key. `landform explain spec` lists the fields.',
      ),
  }),
  'policy/value': defineEntry<{
    /** Text where the file does not fit its schema. */
    readonly problem: PolicyValueProblem | string
    readonly suggestion: string | undefined
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value in a policy',
    message: ({ problem }) => (typeof problem === 'string' ? problem : describeValueProblem(problem)),
    help: ({ suggestion }) => formatSuggestion(suggestion),
    explanation: () =>
      joinSentences(
        'A comparison that is always true or always false is a mistake: the rule would allow everything, or nothing.',
        'Values are therefore checked against the values that the manifest field can have.',
      ),
  }),
  'policy/test': defineEntry<{
    readonly rule: string
    readonly expected: string
    readonly actual: string
    readonly unmet: UnmetRequirements | undefined
  }>({
    severity: 'error',
    phase: 'policy',
    marks: 'value',
    source: 'Landform',
    title: 'A test of a policy rule failed',
    message: ({ rule, expected, actual }) =>
      `the test of ${quote(rule)} expects ${quote(expected)}, but the result is ${quote(actual)}`,
    help: ({ unmet }) => unmet && describeUnmet(unmet),
    explanation: () =>
      joinSentences(
        'The tests of a rule document its purpose and protect it from accidental changes.',
        'Each has parts of a manifest and the expected result: `pass`, `violation`, or `not-applicable` if `when` does not match.',
        'Fix the rule or the test; the policy is not used until the test passes.',
      ),
  }),
} as const
