import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { quickstartFolder } from './example-copy.js'
import { fakeHost } from './fake-host.js'

/** Returns the text of a manifest test file. Each argument is the YAML of one test. */
export function testFile(...tests: readonly string[]): string {
  const elements = tests.map(test => `  - ${test.trim().replaceAll('\n', '\n    ')}\n`)
  return `apiVersion: landform.dev/v1\nkind: SiteTest\ntests:\n${elements.join('')}`
}

/** Runs `landform test` on these tests of the quickstart example. */
export async function tested(tests: readonly string[], ...options: readonly string[]) {
  const folder = await quickstartFolder({ 'site.test.yaml': testFile(...tests) })
  const host = fakeHost()
  const exitCode = await run(['test', join(folder, 'site.test.yaml'), ...options], host)
  const text = host.screen().replaceAll(`${folder}/`, '')
  return { exitCode, text, folder, host }
}
