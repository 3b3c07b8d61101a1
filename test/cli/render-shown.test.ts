import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { run } from '../../src/cli/run.js'
import { aManifest } from '../support/changed-manifest.js'
import { fakeHost } from '../support/fake-host.js'
import { harmIn } from '../support/harm-done.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

test.each([
  'a\u202eb\u200bc\u0085d\u001b[31m',
  'one\n::stop-commands::x\ntwo',
  'a ##vso[task.setvariable]x',
  'Zoë, "in quotes"',
])('a text is rendered without harm, and reads back: %j', async fullName => {
  const manifest = aManifest({ '/spec/administrator/fullName': fullName })
  const file = join(await temporaryFolder(), 'a\u202e.yaml')
  writeFileSync(file, JSON.stringify(manifest))
  const host = fakeHost()
  expect(await run(['render', file], host)).toBe(0)
  expect(parse(host.out())).toEqual(manifest)
  await run(['render', file, '--origins'], host)
  expect(harmIn(host.out())).toEqual([])
})
