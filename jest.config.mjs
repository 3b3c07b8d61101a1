import { availableParallelism } from 'node:os'

// What a test makes mostly dies young.
process.execArgv.push('--max-semi-space-size=64', '--min-semi-space-size=32')

// Tests run on the compiled output, so that what is tested is what ships, and in plain Node: modules are loaded once a process.
const project = {
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  transform: {},
  snapshotFormat: {},
}

export default {
  projects: [
    {
      ...project,
      displayName: 'unit',
      rootDir: 'dist/test',
      testMatch: ['**/*.test.js'],
      testPathIgnorePatterns: ['<rootDir>/system/'],
    },
    { ...project, displayName: 'system', rootDir: 'dist/test', testMatch: ['<rootDir>/system/**/*.test.js'] },
  ],
  maxWorkers: availableParallelism(),
  reporters: ['default', '<rootDir>/scripts/test-reporter.mjs'],
}
