import { channel } from 'node:diagnostics_channel'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { startEmulator } from '../../src/emulator/server.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

let sent = 0
const onRequest = () => {
  sent += 1
}
beforeAll(() => channel('undici:request:create').subscribe(onRequest))
afterAll(() => channel('undici:request:create').unsubscribe(onRequest))
afterEach(removeTemporaryFolders)

test.each([
  '01-templates.yaml',
  '04-folder',
  '05-invisible.yaml',
  '09b-encrypted-folder',
  '11-affinity-wrapper.yaml',
  '11-preferred-and-taint-string.yaml',
  '12-volumes-as-rest-array.yaml',
  '12-volumes-chart-groups.yaml',
])('of %s nothing is sent, planned or applied', async name => {
  const folder = await temporaryFolder()
  cpSync(join(root, 'test/field-cases'), folder, { recursive: true })
  const emulator = await startEmulator()
  const site = !name.endsWith('.yaml') ? [] : ['--url', emulator.url]
  sent = 0
  try {
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { exitCode } = await landform([...command, join(folder, name), ...site], {
        environment: someSecrets,
      })
      expect(exitCode).toBe(65)
    }
    expect(sent).toBe(0)
  } finally {
    await emulator.close()
  }
})
