// Tests run on the compiled output, so that what is tested is what ships.
export default {
  testEnvironment: 'node',
  rootDir: 'dist/test',
  testMatch: ['**/*.test.js'],
  transform: {},
  testTimeout: 20_000,
  reporters: ['default', '<rootDir>/../../scripts/closing-line.mjs'],
}
