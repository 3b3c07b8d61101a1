import { allOf, didYouMean, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** Scenario files of the emulator. */
export const scenarioEntries = {
  'scenario/field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'scenario',
    marks: 'key',
    source: 'Landform',
    title: 'Unknown field in a scenario',
    message: ({ field }) => `unknown field ${quoted(field)} in a scenario`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `allowed here: ${allOf(allowed)}`,
    explanation: paragraph(
      'A scenario file lists the faults of the emulator; an unknown field would be ignored, and the rehearsal would skip it.',
      '`schemas/scenario.schema.json` defines every field, and `landform emulate --help` lists the faults.',
    ),
  }),
  'scenario/value': entry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'scenario',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value in a scenario',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => didYouMean(suggestion),
    explanation: paragraph(
      'A fault that cannot be parsed would not occur, and the rehearsal would be too optimistic.',
      'Faults and stage times are written as on the command line of `landform emulate`; its help lists them.',
    ),
  }),
} as const
