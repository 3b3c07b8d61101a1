import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What Jest found in these files, with variables that make tests long; silent where they are to fail. */
export function jestReport(files, variables, { isSilent = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'landform-jest-'))
  const report = join(folder, 'report.json')
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  // Only what is awaited has a limit, and the limit is for the short form.
  const args = ['--json', `--outputFile=${report}`, '--testTimeout=3600000', ...files]
  const options = ['--experimental-vm-modules', '--no-warnings', jest, ...args]
  const env = { ...process.env, ...variables }
  const stdio = ['ignore', 'ignore', 'pipe']
  const { status, stderr } = spawnSync(process.execPath, options, { cwd: root, env, stdio, maxBuffer: 1e9 })
  // What passes is counted; what fails says why, and with which seed.
  if (status !== 0 && !isSilent) process.stderr.write(stderr)
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What did not hold, as its test names it: a file that did not even run is one, too. */
export function failuresIn({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter(one => one.status === 'failed').map(one => one.fullName)
    return failed.length === 0 && status === 'failed' ? [`${name} does not run`] : failed
  })
}
