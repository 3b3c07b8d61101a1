import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/report/exit-code.js'
import { tool } from '../../src/version.js'
import { aManifest } from '../support/changed-manifest.js'
import { anEmulator } from '../support/emulator.js'
import { httpDouble, type ReceivedRequest } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// Firewalls in front of real sites block requests without this header.
test('every request of every command to a site names the program', async () => {
  const emulator = await anEmulator({ fidelity: 'field', stageMs: 1 })
  const { requests, ...front } = await httpDouble([{ reply: { forward: emulator.url } }])
  const url = front.at(emulator.url)
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
      `Roads.FeatureServer@${new URL(url).host}`,
    ],
  ]
  for (const [name = '', ...words] of commands) {
    const before = requests.length
    const { exitCode, err } = await landform([name, ...words, '--url', url], {
      environment: someSecrets,
    })
    expect([name, exitCode, err]).toEqual([name, exitCodes.done, err])
    expect([name, requests.length > before]).toEqual([name, true])
  }
  const targets = ['generateToken', 'validateLicense', 'configure', 'update', 'exportSite', 'deleteAll']
  const asked = targets.filter(target =>
    requests.some(({ method, path }) => method === 'POST' && path.includes(target)),
  )
  expect(asked).toEqual(targets)
  const lacksName = ({ head }: ReceivedRequest) => !`${head}\r\n`.includes(`\r\nuser-agent: ${tool}\r\n`)
  expect(requests.filter(lacksName)).toEqual([])
})
