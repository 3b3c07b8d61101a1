import { afterEach, expect, test } from '@jest/globals'
import { exitCodes } from '../../src/cli/exit-code.js'
import { run } from '../../src/cli/run.js'
import type { FieldOptions } from '../../src/emulator/field/field-world.js'
import { type Emulator, startEmulator } from '../../src/emulator/server.js'
import { fakeHost } from '../support/fake-host.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const running: Emulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
  await removeTemporaryFolders()
})

/** A person at a site of the field, both by one clock. */
async function atASite(field: FieldOptions) {
  const state = await temporaryFolder()
  const { clock } = fakeHost()
  const emulator = await startEmulator({ now: clock.now, fidelity: 'field', field, stageMs: 5000 })
  running.push(emulator)
  const site = ['examples/quickstart.yaml', '--url', emulator.url, '--state', `file:${state}`]
  const landform = async (command: string, ...options: readonly string[]) => {
    const host = { ...fakeHost({ environment: someSecrets }), clock }
    return { exitCode: await run([command, ...site, ...options], host), err: host.err() }
  }
  return { emulator, landform }
}

test('a site that asks for no token is applied, and configured is not taken for the end', async () => {
  const { emulator, landform } = await atASite({ securityFrom: 'never' })
  const { exitCode, err } = await landform('apply', '--yes')
  expect(err).toContain('Configuration Store: completed')
  expect(exitCode).toBe(exitCodes.done)
  expect(emulator.world().upgradeConfig).toHaveProperty('podPlacementPolicy')
  expect(emulator.world().counters).toMatchObject({
    configure: { received: 1, accepted: 1 },
    update: { received: 1, accepted: 1 },
  })
})

test('a site that asks for a token on the way is left as it is, and the end of the wait says so', async () => {
  const { emulator, landform } = await atASite({})
  const { exitCode, err } = await landform('apply', '--yes', '--timeout', '5m')
  expect(err).toContain('Token Required. (code 499)')
  expect(exitCode).toBe(exitCodes.inProgress)
  const again = await landform('apply', '--yes')
  expect(again.exitCode).toBe(exitCodes.permission)
  expect(again.err).toContain('next: this site asks for a token even to be looked at')
  expect(emulator.world().counters).toMatchObject({
    configure: { received: 1, accepted: 1 },
    update: { received: 0, accepted: 0 },
  })
})
