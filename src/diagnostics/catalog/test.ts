import { allOf, didYouMean, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** Files of tests, and what came out otherwise. */
export const testEntries = {
  'test/field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'test',
    marks: 'key',
    source: 'Landform',
    title: 'A field that a test does not have',
    message: ({ field }) => `there is no field ${quoted(field)} at this place of a test`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `there is ${allOf(allowed)}`,
    explanation: paragraph(
      'What is not known would be left out, and the test would hold whatever happens.',
      '`schemas/test.schema.json` has every field, and `landform schema --test` prints it.',
    ),
  }),
  'test/value': entry<{ readonly problem: string; readonly suggestion: string | undefined }>({
    severity: 'error',
    phase: 'test',
    marks: 'value',
    source: 'Landform',
    title: 'A value that a test cannot have',
    message: ({ problem }) => problem,
    help: ({ suggestion }) => didYouMean(suggestion),
    explanation: paragraph(
      'A test that cannot be read as it was meant would be of something else.',
      'Every test has a name of its own and an `expect`, and the paths in the file begin at its folder.',
    ),
  }),
  'test/failed': entry<{ readonly test: string; readonly what: string; readonly problem: string }>({
    severity: 'error',
    phase: 'test',
    marks: 'key',
    source: 'Landform',
    title: 'Something came out otherwise than a test expects',
    message: ({ test, what, problem }) => `${quoted(test)}: ${quoted(what)} ${problem}`,
    explanation: paragraph(
      'The report shows with `-` what the test expects and with `+` what was found.',
      'Lists of diagnostics, policies, actions and requests are whole: one that is missing or too many is a difference.',
      'Of each element only the fields count that the test names.',
    ),
  }),
  'test/unmet-fault': entry<{ readonly test: string; readonly fault: string }>({
    severity: 'warning',
    phase: 'test',
    marks: 'value',
    source: 'Landform',
    title: 'A fault that nothing met',
    message: ({ test, fault }) => `${quoted(test)}: nothing met the fault ${quoted(fault)}`,
    explanation: paragraph(
      'The test went its way without the trouble that it is about, so it shows less than it seems to.',
      'Mostly its place in time is wrong: a stage that was over by then, or a request that was never sent.',
    ),
  }),
} as const
