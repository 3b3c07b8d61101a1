import { formatAll, formatSuggestion, quote } from '../words.js'
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
  }),
  'scenario/value': defineEntry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'scenario',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value in a scenario',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => formatSuggestion(suggestion),
  }),
} as const
