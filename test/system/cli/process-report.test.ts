import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { landformProgram } from '../../support/landform-program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

test('the diagnostic report of a running process has no variables of Landform, but all others', async () => {
  const folder = await temporaryFolder()
  const words = ['--report-on-signal', `--report-directory=${folder}`, landformProgram, 'emulate']
  const env = { ORDINARY: 'nothing-secret', LANDFORM_ADMIN_PASSWORD: 'Nobody-may-see-1' }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    await once(child.stdout, 'data')
    child.kill('SIGUSR2')
    let said = ''
    for await (const chunk of child.stderr) {
      said += chunk
      if (said.includes('report completed')) break
    }
    const [name = ''] = readdirSync(folder)
    const report = readFileSync(join(folder, name), 'utf8')
    expect(JSON.parse(report).environmentVariables).toEqual({ ORDINARY: 'nothing-secret' })
    expect(report).not.toContain('Nobody-may-see-1')
  } finally {
    child.kill('SIGKILL')
  }
})
