import { existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Signal } from '../../../src/cli/host.js'
import { loadCommands } from '../../../src/cli/run.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { earlier, expectWhole, formatOptions, stdout, waysToReport } from '../../support/command-forms.js'
import { argumentsTo, endingsOf, nobody } from '../../support/command-outcomes.js'
import { anEmulator } from '../../support/emulator.js'
import { answeringSite } from '../../support/http-double.js'
import { startProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const commands = await loadCommands()

const table = commands
const folder = await temporaryFolder()
const manifest = 'examples/quickstart.yaml'
let slow: Emulator

beforeAll(async () => {
  slow = await anEmulator({ stageMs: 3_600_000 })
})

const program = (args: readonly string[], out: 'pipe' | number = 'pipe') =>
  startProgram(args, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...someSecrets },
    stdio: ['ignore', out, 'pipe'],
  })

const interrupted = table.flatMap(entry =>
  endingsOf(entry)
    .filter(({ ending }) => ending.interrupt?.at === 'a sleep')
    .flatMap(({ outcome, ending }) =>
      // Each format once on stdout, with the others in files.
      waysToReport(entry, folder)
        .filter(forms => forms.some(([, place]) => place === stdout))
        .map(forms => ({ name: entry.name, outcome, forms, entry, ending })),
    ),
)

test.each(interrupted)('$name that $outcome leaves complete documents: $forms', async cell => {
  const { entry, ending, forms } = cell
  for (const [, place] of forms) if (place !== stdout) writeFileSync(place, earlier)
  const { child, ended, said } = program([
    ...argumentsTo(entry, { ...ending, manifest }, slow.url),
    ...['--state', `file:${join(folder, 'state')}`],
    ...formatOptions(forms),
  ])
  // The first stage that changes shows that the command is waiting.
  child.stderr?.on('data', () => {
    // Only once: a second signal would end the process immediately.
    if (said.err.includes('License validation') && !child.killed) child.kill(ending.interrupt?.signal)
  })
  const { code, out, err } = await ended
  const { exitCode } = ending
  expect({ code, err: code === exitCode ? '' : err }).toEqual({ code: exitCode, err: '' })
  const told = expectWhole(entry, forms, { exitCode, out })
  if (entry.name === 'apply') expect(told).toMatchObject({ exitCode })
})

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM']
test.each(signals)('%s ends a plan that waits for a response, and leaves no report', async signal => {
  let asked = () => {}
  const waiting = new Promise<void>(resolve => {
    asked = resolve
  })
  const { url } = await answeringSite('', () => {
    asked()
    return []
  })
  const report = join(folder, 'plan-report')
  const formats = ['--format', 'json', '--format', `text=${report}`]
  const { child, ended } = program(['plan', manifest, '--url', url, ...formats])
  await waiting
  child.kill(signal)
  expect(await ended).toMatchObject({ signal, out: '', err: '' })
  expect(existsSync(report)).toBe(false)
})

const productive = table
  .filter(({ name }) => ['validate', 'plan'].includes(name))
  .flatMap(entry => {
    const [goesWell] = endingsOf(entry)
    if (goesWell === undefined) throw new Error(`${entry.name} does not go well`)
    const words = argumentsTo(entry, { ...goesWell.ending, manifest }, nobody)
    return [words, [...words, '--format', 'json']]
  })

test.each(productive.map(words => [words]))(
  'a full disk behind stdout is reported as an error: %j',
  async words => {
    const { code, err } = await program(words, openSync('/dev/full', 'w')).ended
    expect({ code, err }).toEqual({ code: 74, err: 'error: standard output cannot be written (ENOSPC)\n' })
  },
)
