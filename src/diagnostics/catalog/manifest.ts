import { allOf, quoted, shortList } from '../words.js'
import { entry } from './entry.js'

const didYouMean = (suggestion: string | undefined) =>
  suggestion === undefined ? undefined : `did you mean ${quoted(suggestion)}?`

/** Fields and values, as the schema has them. */
export const manifestEntries = {
  'manifest/unknown-field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
    /** Where the manifest has what the service calls by this name. */
    readonly home: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A field that does not exist here',
    message: ({ field }) => `there is no field ${quoted(field)} here`,
    help: ({ field, suggestion, allowed, home }) =>
      (home === undefined
        ? undefined
        : `${quoted(field)} is the service's name; in a manifest it is ${quoted(home)}`) ??
      didYouMean(suggestion) ??
      (allowed.length === 0 ? 'remove it' : `here may stand ${shortList(allowed)}`),
  }),
  'manifest/missing-field': entry<{ readonly owner: string; readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A required field is missing',
    message: ({ owner, missing }) => `${quoted(owner)} lacks ${allOf(missing)}`,
  }),
  'manifest/wrong-type': entry<{
    readonly field: string
    readonly expected: string
    readonly found: string
    /** The value as it should be written, where that is plain. */
    readonly rewritten: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value of the wrong type',
    message: ({ field, expected, found }) => `${quoted(field)} takes ${expected}, but this is ${found}`,
    help: ({ rewritten }) => (rewritten === undefined ? undefined : `write ${rewritten}`),
  }),
  'manifest/value-not-allowed': entry<{
    readonly field: string
    readonly found: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value outside the allowed set',
    message: ({ field, found }) => `${quoted(field)} cannot be ${quoted(found)}`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `use ${shortList(allowed)}`,
  }),
  'manifest/malformed-value': entry<{ readonly field: string; readonly rule: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value of the wrong form',
    message: ({ field, rule }) => `${quoted(field)} must ${rule}`,
  }),
} as const
