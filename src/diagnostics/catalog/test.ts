import { formatAll, formatSuggestion, quote } from '../words.js'
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
  }),
  'test/value': defineEntry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'test',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value in a test',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => formatSuggestion(suggestion),
  }),
  'test/failed': defineEntry<{ readonly test: string; readonly problem: string }>({
    severity: 'error',
    phase: 'test',
    marks: 'key',
    source: 'Landform',
    title: 'A test failed',
    message: ({ test, problem }) => `${quote(test)}: ${problem}`,
  }),
  'test/unmet-fault': defineEntry<{ readonly test: string; readonly fault: string }>({
    severity: 'warning',
    phase: 'test',
    marks: 'value',
    source: 'Landform',
    title: 'A fault that never occurred',
    message: ({ test, fault }) => `${quote(test)}: the fault ${quote(fault)} never occurred`,
  }),
} as const
