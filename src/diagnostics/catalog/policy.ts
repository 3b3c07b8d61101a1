import { formatAll, formatShortList, formatSuggestion, quote } from '../words.js'
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
  }),
  'policy/advised': defineEntry<PolicyViolation>({
    severity: 'warning',
    phase: 'rules',
    marks: 'value',
    source: 'Landform',
    title: 'A policy rule warns about this',
    ...violationWording,
  }),
  'policy/unread': defineEntry<{ readonly file: string; readonly name: string }>({
    severity: 'warning',
    phase: 'rules',
    marks: 'value',
    source: 'Landform',
    title: 'A file name close to that of a policy',
    message: ({ file, name }) => `the rules in ${quote(file)} are not read: a policy is named ${quote(name)}`,
    help: ({ name }) => `rename it to ${quote(name)}, or pass it with --policy`,
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
  }),
  'policy/value': defineEntry<{
    /** A sentence if the file does not fit its schema. */
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
  }),
} as const
