import { formatAll, formatSuggestion, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** Test files, and failed tests. */
export const testEntries = {
  'test/field': defineEntry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'test',
    marks: 'key',
    source: 'Landform',
    title: 'Unknown field in a test',
    message: ({ field }) => `unknown field ${quote(field)} in a test`,
    help: ({ suggestion, allowed }) => formatSuggestion(suggestion) ?? `allowed here: ${formatAll(allowed)}`,
    explanation: () =>
      joinSentences(
        'An unknown field would be ignored, and the test would pass in every case.',
        '`schemas/test.schema.json` defines every field, and `landform schema --test` prints it.',
      ),
  }),
  'test/value': defineEntry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'test',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value in a test',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => formatSuggestion(suggestion),
    explanation: () =>
      joinSentences(
        'A test with an invalid value would not test what it is meant to.',
        'Every test has a unique name and an `expect`; paths are relative to the folder of the file.',
      ),
  }),
  'test/failed': defineEntry<{ readonly test: string; readonly what: string; readonly problem: string }>({
    severity: 'error',
    phase: 'test',
    marks: 'key',
    source: 'Landform',
    title: 'A test failed',
    message: ({ test, what, problem }) => `${quote(test)}: ${quote(what)} ${problem}`,
    explanation: () =>
      joinSentences(
        'The report marks expected lines with `-` and actual lines with `+`.',
        'Lists of diagnostics, policies, actions and requests must match completely: a missing or extra entry is a difference.',
        'Of each entry only the fields that the test names are compared.',
      ),
  }),
  'test/unmet-fault': defineEntry<{ readonly test: string; readonly fault: string }>({
    severity: 'warning',
    phase: 'test',
    marks: 'value',
    source: 'Landform',
    title: 'A fault that never occurred',
    message: ({ test, fault }) => `${quote(test)}: the fault ${quote(fault)} never occurred`,
    explanation: () =>
      joinSentences(
        'The test ran without the fault that it is about, so it proves less than it seems to.',
        'Usually the trigger is wrong: a stage that had already finished, or a request that was never sent.',
      ),
  }),
} as const
