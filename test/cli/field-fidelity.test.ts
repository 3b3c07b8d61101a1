import { run } from '../../src/cli/run.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import type { FieldOptions } from '../../src/emulator/field/field-world.js'
import { startEmulator } from '../../src/emulator/server.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { fakeHost } from '../support/fake-host.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const running: Emulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
  await removeTemporaryFolders()
})

/** A person at a site of the field, both by one clock. */
async function atASite(field: FieldOptions, token?: string) {
  const state = await temporaryFolder()
  const { clock } = fakeHost()
  const emulator = await startEmulator({
    now: clock.now,
    fidelity: 'field',
    field,
    stageMs: 5000,
    ...(token !== undefined && { token }),
  })
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

test('a site that asks for a token on the way is left as it is where none is known, and says so once', async () => {
  const { emulator, landform } = await atASite({})
  const { exitCode, err } = await landform('apply', '--yes', '--timeout', '5m', '--poll-interval', '5s')
  expect(err.match(/polling the site failed: .*\(code 498\)/g)).toHaveLength(1)
  expect(exitCode).toBe(exitCodes.inProgress)
  const again = await landform('apply', '--yes')
  expect(again.exitCode).toBe(exitCodes.permission)
  expect(again.err).toContain(
    'next: replace the token in the environment variable `LANDFORM_TOKEN`: it has expired',
  )
  expect(emulator.world().counters).toMatchObject({
    configure: { received: 1, accepted: 1 },
    update: { received: 0, accepted: 0 },
  })
})

test('a site that asks for a token on the way is followed to the end with it', async () => {
  const { emulator, landform } = await atASite({}, someSecrets.LANDFORM_TOKEN)
  const { exitCode, err } = await landform('apply', '--yes')
  expect(err).toContain('Pod replicas: completed')
  expect(err).not.toMatch(/code 49[89]/)
  expect(exitCode).toBe(exitCodes.done)
  expect(emulator.world().counters.update).toEqual({ received: 1, accepted: 1 })
})
