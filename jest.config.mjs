import { availableParallelism } from 'node:os'

// Tests run on the compiled output, so that what is tested is what ships, and in plain Node: a worker is a process that loads
// each module once.
const project = {
  rootDir: 'dist/test',
  runner: '<rootDir>/../../scripts/jest/runner.mjs',
  setupFilesAfterEnv: ['<rootDir>/../../scripts/jest/worker.mjs'],
  transform: {},
}

export default {
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['**/*.test.js'],
      testPathIgnorePatterns: ['<rootDir>/system/'],
    },
    { ...project, displayName: 'system', testMatch: ['<rootDir>/system/**/*.test.js'] },
  ],
  // A worker more fills no pause that matters, and loads everything once more.
  maxWorkers: availableParallelism(),
  testSequencer: '<rootDir>/scripts/jest/sequencer.mjs',
  reporters: ['default', '<rootDir>/scripts/jest/reporter.mjs'],
}
