import { join } from 'node:path'
import { anEmulator } from '../../support/emulator.js'
import { aRequest } from '../../support/library-site.js'
import { root } from '../../support/manifests.js'
import { type Ended, runProgram } from '../../support/program.js'
import { someSecrets } from '../../support/some-secrets.js'

/** Runs the example as a user does. */
function example(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
  const script = join(root, 'examples/library/apply.mjs')
  return runProgram(process.execPath, [script, ...words], { env: environment })
}

test('the example in examples/library applies a site, then finds no changes, and reports errors', async () => {
  const emulator = await anEmulator({ stageMs: 20 })
  const { file, url, folder } = await aRequest(emulator.url)
  const environment = { ...someSecrets, HOME: folder }
  const first = await example([file, url], environment)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/^configure: create \(not-configured\)\nupdate: update/)
  expect(first.stdout).toMatch(/Pod replicas: completed\n(?:.*\n)*success: the site was verified ready.*\n$/)
  const second = await example([file, url], environment)
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^configure: no-op/) })
  expect(emulator.world().counters.configure.received).toBe(1)
  const third = await example(['no-such.yaml', url], environment)
  expect(third).toEqual({ code: 1, stdout: '', stderr: 'the manifest no-such.yaml does not exist\n' })
})
