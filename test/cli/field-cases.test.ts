import { channel } from 'node:diagnostics_channel'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anEmulator } from '../support/emulator.js'
import { landform } from '../support/landform.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let sent = 0
const onRequest = () => {
  sent += 1
}
beforeAll(() => channel('undici:request:create').subscribe(onRequest))
afterAll(() => channel('undici:request:create').unsubscribe(onRequest))
test.each([
  '01-templates.yaml',
  '04-folder',
  '05-invisible.yaml',
  '08-bucket-names.yaml',
  '09b-encrypted-folder',
  '11-affinity-wrapper.yaml',
  '11-preferred-and-taint-string.yaml',
  '12-gitops-metadata.yaml',
  '12-volumes-as-rest-array.yaml',
  '12-volumes-chart-groups.yaml',
  '13-variable-in-reference.yaml',
  '15-cloud-as-map.yaml',
  '16-build-version.yaml',
])('for %s nothing is sent, planned or applied', async name => {
  const folder = await temporaryFolder()
  cpSync(join(root, 'test/field-cases'), folder, { recursive: true })
  const emulator = await anEmulator()
  const site = !name.endsWith('.yaml') ? [] : ['--url', emulator.url]
  sent = 0
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { exitCode } = await landform([...command, join(folder, name), ...site], {
      environment: someSecrets,
    })
    expect(exitCode).toBe(65)
  }
  expect(sent).toBe(0)
})

test.each([
  ['15-cloud-as-map.yaml', /cloudStorage: \[\{.*\}\]$/m],
  ['16-build-version.yaml', /version: "12\.1"$/m],
])('%s is valid after --fix', async (name, fixed) => {
  const folder = await temporaryFolder()
  const file = join(folder, name)
  cpSync(join(root, 'test/field-cases', name), file)
  const { exitCode, out } = await landform(['validate', '--fix', file])
  expect([exitCode, out]).toEqual([0, expect.stringContaining(' 0 errors')])
  expect(readFileSync(file, 'utf8')).toMatch(fixed)
})

test('10-storage-classes.yaml causes a warning for each database on a file share, identified by its provisioner', async () => {
  const cases = join(root, 'test/field-cases')
  const { exitCode, err } = await landform([
    'plan',
    '--emulate',
    join(cases, '10-storage-classes.yaml'),
    ...['--storage-classes', join(cases, '10-storage-classes.json')],
  ])
  const told = [...err.matchAll(/`(\S+)` provisions file shares \(`(\S+)`\), but `(\w+)`/g)]
  expect([exitCode, ...told.map(([, ...facts]) => facts)]).toEqual([
    0,
    ['efs', 'efs.csi.aws.com', 'RELATIONAL_PRIMARY'],
    ['azurefile', 'file.csi.azure.com', 'IN_MEM_CACHE'],
    ['nfs-client', 'cluster.local/nfs-subdir-external-provisioner', 'QUEUE'],
  ])
})
