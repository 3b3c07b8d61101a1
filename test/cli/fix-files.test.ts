import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { aManifest } from '../support/changed-manifest.js'
import { fakeHost } from '../support/fake-host.js'
import { harmIn } from '../support/harm-done.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** A file with one mistake that can be mended, and what a comment says on the line of it. */
async function aFile(name = 'site.yaml', comment = '') {
  const folder = await temporaryFolder()
  const file = join(folder, name)
  const text = JSON.stringify(aManifest({ '/spec/profile': 'Development' }), null, 2)
  writeFileSync(file, text.replace(/"Development",?/, `$& # ${comment}`))
  return { file }
}

test('names and lines do no harm where they are printed', async () => {
  const { file } = await aFile('a\u001b[31m\u202e.yaml', 'a \u202e b')
  const host = fakeHost()
  await run(['validate', file, '--fix', '--dry-run'], host)
  await run(['validate', file, '--fix'], host)
  expect(harmIn(host.screen())).toEqual([])
  expect(host.out()).toContain('# a \\u{202e} b')
})

test('a line that stays is no command for GitHub', async () => {
  const { file } = await aFile()
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('"profile"', '"logLevel": "x\n    ::stop-commands::y",\n "profile"'))
  const host = fakeHost()
  await run(['validate', file, '--fix', '--dry-run'], host)
  expect(host.out()).toContain('stop-commands')
  expect(host.out()).not.toMatch(/^\s*::/m)
})
