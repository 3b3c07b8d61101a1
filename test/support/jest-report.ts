import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './manifests.js'

/** The result of a run of Jest, as far as it is read here. */
export interface JestReport {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Runs Jest on these files, with variables that make tests long; silent where they are to fail. */
export function jestReport(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): JestReport {
  const folder = mkdtempSync(join(tmpdir(), 'landform-jest-'))
  const report = join(folder, 'report.json')
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  const args = ['--json', `--outputFile=${report}`, ...files]
  const { status, stderr } = spawnSync(process.execPath, [jest, ...args], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1e9,
  })
  // What passes is counted; what fails says why, and with which seed.
  if (status !== 0 && !isSilent) process.stderr.write(stderr)
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Names what failed: each test, and each file that did not even run. */
export function failuresIn({ testResults }: Pick<JestReport, 'testResults'>): readonly string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter(one => one.status === 'failed').map(one => one.fullName)
    return failed.length === 0 && status === 'failed' ? [`${name} does not run`] : failed
  })
}
