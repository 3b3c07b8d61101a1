import { command } from '../command.js'
import { commonOptions, formatOption, policyOption } from '../options.js'
import { testFormats } from '../testing/test-options.js'

/**
 * Runs tests of manifests: each at an emulated site in this process, on a clock of its own. Makes no connection, and reads
 * no environment.
 */
export const test = command({
  arguments: [
    {
      name: 'tests',
      many: true,
      optional: true,
      describe: 'Files of tests, folders or patterns [default: the working folder]',
    },
  ],
  options: {
    ...formatOption(testFormats),
    filter: { kind: 'text', value: 'TEXT', describe: 'Only tests with this text in their names' },
    ...policyOption,
    watch: { kind: 'flag', describe: 'Run what a changed file affects again, until interrupted' },
    verbose: { kind: 'flag', short: 'v', describe: 'Also name the tests that hold' },
    ...commonOptions,
  },
  examples: [
    ['test', 'run every *.test.yaml in and below the working folder'],
    ['test sites --format junit=tests.xml', 'run those of a folder in a CI job'],
    ['test site.test.yaml --filter stall -v', 'run some of one file'],
    ['test sites --watch', 'run again what a change affects'],
  ],
  async run(argv, host) {
    const { reportTests } = await import('../testing/report-tests.js')
    return reportTests(argv, host)
  },
})
