import { availableParallelism } from 'node:os'

// Tests run on the compiled output, so that what is tested is what ships.
export default {
  testEnvironment: 'node',
  rootDir: 'dist/test',
  testMatch: ['**/*.test.js'],
  transform: {},
  // Far more than any takes: a machine may be busy with other things.
  testTimeout: 60_000,
  // Jest would leave one core free, and half of what tests do is waiting for programs and sockets.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  reporters: ['default', '<rootDir>/../../scripts/closing-line.mjs'],
}
