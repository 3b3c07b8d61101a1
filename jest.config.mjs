// Tests run on the compiled output, so that what is tested is what ships.
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
  maxWorkers: '100%',
}
