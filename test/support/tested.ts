import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { fakeHost } from './fake-host.js'
import { root } from './manifests.js'
import { temporaryFolder } from './temporary-folder.js'

/** Copies the quickstart example to a new folder, with other files. Returns the folder. */
export async function quickstartFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder()
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  cpSync(join(root, 'examples/quickstart.yaml'), join(folder, 'site.yaml'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

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
