import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmulator } from '../../src/emulator/server.js'
import { exitCodes } from '../../src/report/exit-code.js'
import { tool } from '../../src/version.js'
import { aManifest } from '../support/changed-manifest.js'
import { frontOf } from '../support/fronted-site.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

// Firewalls in front of real sites block requests without this header.
test('every request of every command to a site names the program', async () => {
  const emulator = await startEmulator({ fidelity: 'field', stageMs: 1 })
  const front = await frontOf(emulator.url)
  try {
    const folder = await temporaryFolder()
    const file = join(folder, 'site.yaml')
    const policy = { nodeAffinity: {}, tolerations: [{ key: 'dedicated', operator: 'Exists' }] }
    const manifest = aManifest({
      '/spec/site/token': undefined,
      '/spec/site/signIn': { as: 'administrator' },
      '/spec/license/file': 'site.json',
      '/spec/upgrade': { podPlacementPolicy: policy },
    })
    writeFileSync(file, JSON.stringify(manifest))
    writeFileSync(join(folder, 'site.json'), '{}')
    const state = ['--state', `file:${folder}/state`]
    const commands: readonly (readonly string[])[] = [
      ['probe', file],
      ['plan', file, ...state],
      ['apply', file, '--yes', ...state],
      ['status', file, ...state],
      ['drift', file, ...state],
      ['export-site', file, '--location', '/backups', '--yes'],
      [
        'webhooks',
        'delete-all',
        'Roads.FeatureServer',
        file,
        '--confirm',
        `Roads.FeatureServer@${new URL(front.url).host}`,
      ],
    ]
    for (const [name = '', ...words] of commands) {
      const before = front.heads.length
      const { exitCode, err } = await landform([name, ...words, '--url', front.url], {
        environment: someSecrets,
      })
      expect([name, exitCode, err]).toEqual([name, exitCodes.done, err])
      expect([name, front.heads.length > before]).toEqual([name, true])
    }
    const targets = ['generateToken', 'validateLicense', 'configure', 'update', 'exportSite', 'deleteAll']
    const asked = targets.filter(target =>
      front.heads.some(head => head.startsWith('POST') && head.includes(target)),
    )
    expect(asked).toEqual(targets)
    expect(front.heads.filter(head => !head.includes(`"user-agent":"${tool}"`))).toEqual([])
  } finally {
    await front.close()
    await emulator.close()
  }
})
