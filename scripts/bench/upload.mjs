// A license of 50 MB, uploaded as `apply` does it, and by curl.

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, found, scriptHere, skipped } from './surroundings.mjs'
import { readJson, serving, turns } from './turns.mjs'

export async function measureUpload({ isQuick }) {
  const license = join(folder, 'license.bin')
  writeFileSync(license, randomBytes(50_000_000))
  const isThere = spawnSync('curl', ['--version']).status === 0
  if (!isThere) skipped('50 MB upload, curl', 'it is not installed')
  await serving(scriptHere('canned-server.mjs'), port => {
    const url = `http://127.0.0.1:${port}/arcgis/admin/configure`
    // curl waits a second for `100 Continue`, unless this header is empty.
    const options = ['--silent', '--fail', '--output', join(folder, 'answer'), '--header', 'Expect:']
    const curl = ['curl', ...options, '--form', `licenseFile=@${license}`, url]
    for (let round = 0; round < (isQuick ? 2 : 9); round += 1) {
      const { milliseconds, extraKilobytes } = readJson(scriptHere('upload-client.mjs', port, license))
      found('50 MB upload, landform, ms', milliseconds)
      found('50 MB upload, extra MB', extraKilobytes / 1024)
      if (isThere) turns(1, [{ name: '50 MB upload, curl', command: curl }])
    }
  })
}
