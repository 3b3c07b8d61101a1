import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Place } from './place.js'
import type { Scene } from './scene.js'

/** Keeps secrets in files, so that Node's report of its environment has none. */
export const setting = {
  sources: 'files',
  emulator: ({ canaries: { token } }: Place) => ({ token, stageMs: 100 }),
} as const

/**
 * Searches a run that waits for its site, as other users of the machine see it: its command line, its Node.js report and its
 * temporary files. Then repeats it with all debug output of Node.js, and with a defect.
 */
export async function overseen(scene: Scene): Promise<void> {
  const { place, front, ledger, run } = scene
  const { folder, control } = place
  const reports = join(folder, 'reports')
  mkdirSync(reports)
  const site = place.write(`${control.value}.yaml`, { url: front.url, token: scene.reference('token') })
  const apply = ['apply', site, '--yes', '--timeout', '60s']
  const during = async (child: ChildProcess) => {
    await polled(scene)
    const proc = `/proc/${child.pid}`
    if (existsSync(proc))
      for (const name of ['cmdline', 'environ'])
        ledger.see(`${name} of the process`, readFileSync(join(proc, name)))
    child.kill('SIGUSR2')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const report = ['--report-on-signal', '--report-uncaught-exception', `--report-directory=${reports}`]
  const environment = { LANDFORM_ORDINARY: control.value }
  const code = await run(apply, { node: report, environment, during })
  if (code !== 0) scene.report(`apply with a report of Node ended with ${code}`)
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
  if (defect !== 70) scene.report(`a run with a defect ended with ${defect}`)
  ledger.seeFiles('temporary files', join(folder, 'tmp'))
}

/** Resolves once the program polls the site that it configured. */
export async function polled({ emulator }: Scene): Promise<void> {
  const isPolled = () => {
    const operations = emulator.requests.map(({ operation }) => operation)
    return (
      operations.lastIndexOf('root') > operations.indexOf('configure') && operations.includes('configure')
    )
  }
  for (let polls = 0; polls < 1200 && !isPolled(); polls += 1) await setTimeout(50)
}

/**
 * Resolves once no thread of a process was runnable for a third of a second: on a busy machine the time since a response does
 * not show whether the program has processed it.
 */
export async function idle({ pid = 0 }: ChildProcess): Promise<void> {
  let before = ''
  for (let quiet = 0, samples = 0; quiet < 6 && samples < 1200; samples += 1) {
    const now = threads(pid)
    quiet = now === before && !now.includes('R') ? quiet + 1 : 0
    before = now
    await setTimeout(50)
  }
}

/** Reads the state and the CPU time of each thread of a process. */
function threads(pid: number): string {
  const folder = `/proc/${pid}/task`
  if (!existsSync(folder)) return ''
  return readdirSync(folder)
    .map(thread => {
      const [state, ...fields] = readFileSync(join(folder, thread, 'stat'), 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return [state, fields[10], fields[11]].join(' ')
    })
    .join('\n')
}

/**
 * Code that runs in the process. It writes the control beside the temporary files, where a leak would be, and then throws an
 * error whose message quotes a secret, as messages of Node.js do.
 */
function leaking(control: string): string {
  return `const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { tmpdir } = require('node:os')
writeFileSync(join(tmpdir(), 'left'), '${control}')
setTimeout(() => {
  const secret = readFileSync('secrets/password', 'utf8')
  const error = new TypeError('unexpected ' + secret, { cause: new Error(secret) })
  error.name = '${control}'
  error.stack = error.stack.replaceAll(secret, secret + secret)
  throw error
}, 20)
`
}
