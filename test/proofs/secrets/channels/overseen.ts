import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { landformProgram } from '../../../support/landform-program.js'
import type { Place } from './place.js'
import type { Scene } from './scene.js'

/** Where the program keeps what it compiled. */
const compiled = join(dirname(dirname(landformProgram)), 'compiled')

/** Secrets in files, so that what Node itself says of its environment has none. */
export const setting = {
  sources: 'files',
  emulator: ({ canaries: { token } }: Place) => ({ token, stageMs: 100 }),
} as const

/**
 * A run in the wait for the site, as others on the machine see it: by its command line, its report of Node, its temporary
 * files and its compiled code; then with everything that Node can be asked to print, and with a defect.
 */
export async function overseen(scene: Scene): Promise<void> {
  const { place, front, ledger, run } = scene
  const { folder, control } = place
  const reports = join(folder, 'reports')
  mkdirSync(reports)
  const site = place.write(`${control.value}.yaml`, { url: front.url, token: scene.reference('token') })
  const apply = ['apply', site, '--yes', '--timeout', '60s']
  const during = async (child: ChildProcess) => {
    await waiting(scene)
    const proc = `/proc/${child.pid}`
    if (existsSync(proc))
      for (const name of ['cmdline', 'environ'])
        ledger.see(`${name} of the process`, readFileSync(join(proc, name)))
    child.kill('SIGUSR2')
    await once(child, 'exit')
  }
  const report = ['--report-on-signal', '--report-uncaught-exception', `--report-directory=${reports}`]
  const environment = { LANDFORM_ORDINARY: control.value }
  const code = await run(apply, { node: report, environment, during })
  if (code !== 0) scene.complain(`apply with a report of Node ended with ${code}`)
  ledger.seeFiles("Node's diagnostic reports", reports)
  const debug = { NODE_DEBUG: '*', NODE_V8_COVERAGE: '' }
  await run(['status', site], { environment: debug, channel: 'a run with NODE_DEBUG' })
  await run(['apply', site, '--yes'], { environment: debug, channel: 'a run with NODE_DEBUG' })
  const leak = join(folder, 'leak.cjs')
  writeFileSync(leak, leaking(control.value))
  const defect = await run(apply, {
    node: ['--require', leak],
    environment: { LANDFORM_DEBUG: '1' },
    channel: 'a run with a defect',
  })
  if (defect !== 70) scene.complain(`a run with a defect ended with ${defect}`)
  ledger.seeFiles('temporary files', join(folder, 'tmp'))
  ledger.seeFiles('compiled code that is kept', compiled)
  rmSync(join(compiled, control.value))
}

/** Until the site has its configuration, and the program waits for it. */
export async function waiting({ emulator }: Scene): Promise<void> {
  for (let looks = 0; looks < 600; looks += 1) {
    if (emulator.world().configuration !== undefined) break
    await setTimeout(50)
  }
  await setTimeout(300)
}

/**
 * Code in the very process that leaves the control where a leak would be: beside temporary files and compiled code; and then
 * a defect, whose message quotes a secret, as messages of Node do.
 */
function leaking(control: string): string {
  return `const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { tmpdir } = require('node:os')
writeFileSync(join(tmpdir(), 'left'), '${control}')
writeFileSync(join('${compiled}', '${control}'), '${control}')
setTimeout(() => {
  const secret = readFileSync('secrets/password', 'utf8')
  const error = new TypeError('unexpected ' + secret, { cause: new Error(secret) })
  error.name = '${control}'
  error.stack = error.stack.replaceAll(secret, secret + secret)
  throw error
}, 20)
`
}
