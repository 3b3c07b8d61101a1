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
    title: 'A field that a scenario does not have',
    message: ({ field }) => `a scenario has no field ${quoted(field)}`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `a scenario has ${allOf(allowed)}`,
    explanation: paragraph(
      'A scenario file says what goes wrong in the emulator, and what is not known would be left out of the rehearsal.',
      '`schemas/scenario.schema.json` has every field, and `landform emulate --help` lists the faults.',
    ),
  }),
  'scenario/value': entry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'scenario',
    marks: 'value',
    source: 'Landform',
    title: 'A value that a scenario cannot have',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => didYouMean(suggestion),
    explanation: paragraph(
      'A fault that cannot be read would not happen, and the rehearsal would look better than it is.',
      'Faults and stage times are written as on the command line of `landform emulate`, and its help lists them.',
    ),
  }),
} as const
