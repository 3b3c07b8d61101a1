import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { type StateServer, stateServers } from '../../proofs/processes/state-server.js'
import { writeDeclaring } from '../../support/declaring.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

let site: Emulator
let server: StateServer
afterEach(async () => {
  await site.close()
  await server.close()
  await removeTemporaryFolders()
})

async function apply(kind: StateServer['kind'], faults: StateServer['faults']) {
  const folder = await temporaryFolder()
  cpSync('examples/licenses', join(folder, 'licenses'), { recursive: true })
  server = await stateServers[kind](folder)
  Object.assign(server.faults, faults)
  site = await startEmulator({ stageMs: 1 })
  const manifest = join(folder, 'site.yaml')
  writeDeclaring(manifest, site.url, server.location)
  const environment = { ...someSecrets, ...server.environment }
  const run = () => landform(['apply', manifest, '--yes'], { environment, folder })
  return { run, received: () => site.world().counters.configure.received }
}

const kinds = ['s3', 'kubernetes'] as const
const lies: readonly (readonly [string, StateServer['faults'], RegExp])[] = [
  ['ignores the condition', { ignoresConditions: true }, /two runs could both hold a site/],
  ['confirms every write', { confirmsAll: true }, /two runs could both hold a site/],
  [
    'loses what it confirmed',
    { loses: /0*1(?:\.json)?$/ },
    /confirmed a (?:write|Secret) that it does not have/,
  ],
]

test.each(kinds.flatMap(kind => lies.map(lie => [kind, ...lie] as const)))(
  'over %s with a server that %s nothing is sent to the site, and the message says why',
  async (kind, _lie, faults, says) => {
    const { run, received } = await apply(kind, faults)
    const { exitCode, err } = await run()
    expect([exitCode, received()]).toEqual([74, 0])
    const text = err.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(says)
    expect(text).toContain('nothing was sent')
  },
)

test.each(kinds)('over %s a server that lists late hides nothing from the next run', async kind => {
  const { run, received } = await apply(kind, {})
  expect((await run()).exitCode).toBe(0)
  for (const listsFirst of [0, 1, 3]) {
    server.faults.listsFirst = listsFirst
    expect((await run()).exitCode).toBe(0)
  }
  expect(received()).toBe(1)
})
