// Start-up, the check of one file, and a plan against an emulator in a process of its own.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peers } from './peers.mjs'
import { folder, found, own, root, skipped } from './surroundings.mjs'
import { serving, turns } from './turns.mjs'

export async function measureCommands({ runs }) {
  const valid = 'examples/quickstart.yaml'
  const wrong = 'test/invalid/volume/missing-component.yaml'
  const text = readFileSync(join(root, valid), 'utf8')
  const others = peers(valid, false)
    .filter(({ peer }) => peer !== 'ajv-cli with formats')
    .map(({ peer, command }) => ({ name: `one file, ${peer}`, command }))
  if (others.length === 0) skipped('one file, ajv-cli', 'npm could not install it')
  cpSync(join(root, 'examples', 'licenses'), join(folder, 'licenses'), { recursive: true })
  await serving(own('emulate', '--sites', '1'), async url => {
    const site = join(folder, 'site.yaml')
    writeFileSync(site, text.replace(/https:[^ ]*admin\b/, url.trim()))
    turns(runs, [
      { name: 'bare node', command: [process.execPath, '-e', '0'] },
      { name: '--version', command: own('--version') },
      { name: '--help', command: own('--help') },
      { name: 'plan --help', command: own('plan', '--help') },
      { name: 'validate one file', command: own('validate', valid) },
      { name: 'validate one file with errors', command: own('validate', wrong), exitCode: 65 },
      { name: 'plan', command: own('plan', site) },
      ...others,
    ])
    for (let count = 0; count < runs; count += 1) {
      const started = performance.now()
      await (await fetch(`${url.trim()}?f=json`)).text()
      if (count > 0) found('one request to the emulator, ms', performance.now() - started)
    }
  })
}
