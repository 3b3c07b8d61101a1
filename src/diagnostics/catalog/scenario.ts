import { formatAll, formatSuggestion, joinSentences, quote } from '../words.js'
import { defineEntry } from './entry.js'

/** Scenario files of the emulator. */
export const scenarioEntries = {
  'scenario/field': defineEntry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'scenario',
    marks: 'key',
    source: 'Landform',
    title: 'Unknown field in a scenario',
    message: ({ field }) => `unknown field ${quote(field)} in a scenario`,
    help: ({ suggestion, allowed }) => formatSuggestion(suggestion) ?? `allowed here: ${formatAll(allowed)}`,
    explanation: () =>
      joinSentences(
        'A scenario file lists the faults of the emulator; an unknown field would be ignored, and the rehearsal would skip it.',
        '`schemas/scenario.schema.json` defines every field, and `landform emulate --help` lists the faults.',
      ),
  }),
  'scenario/value': defineEntry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'scenario',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value in a scenario',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => formatSuggestion(suggestion),
    explanation: () =>
      joinSentences(
        'A fault that cannot be parsed would not occur, and the rehearsal would be too optimistic.',
        'Faults and stage times are written as on the command line of `landform emulate`; its help lists them.',
      ),
  }),
} as const
