import { availableParallelism } from 'node:os'

// Workers start as this process does. Each file of tests loads its modules anew: most of what it makes dies young, so there
// is room for that, and little of its code runs long enough to be worth optimizing, which only Node 20 can be told.
process.execArgv.push('--max-semi-space-size=64', '--min-semi-space-size=32')
if (process.versions.node.startsWith('20.')) process.execArgv.push('--interrupt-budget=500000')

// Tests run on the compiled output, so that what is tested is what ships.
export default {
  testEnvironment: '<rootDir>/../../scripts/jest-environment.mjs',
  rootDir: 'dist/test',
  testMatch: ['**/*.test.js'],
  transform: {},
  // Far more than any takes: a machine may be busy with other things.
  testTimeout: 60_000,
  // Jest would leave one core free, and much of what tests do is waiting for programs, sockets and databases.
  maxWorkers: Math.ceil(availableParallelism() * 2),
  reporters: ['default', '<rootDir>/../../scripts/closing-line.mjs'],
}
