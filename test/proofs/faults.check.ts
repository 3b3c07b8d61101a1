import { hasGit } from '../support/git-repositories.js'
import { type CheckRun, declareCheck } from './check.js'
import { casesIn, faultCases, violationsOf } from './faults/cases.js'
import {
  carelessPrinting,
  crashErrors,
  interruptErrors,
  interrupts,
  manyMistakes,
  printingErrors,
} from './faults/endings.js'
import { faultTable } from './faults/fault-table.js'
import { newWatch, type Watch } from './faults/try-cell.js'

/** `every` selects one in so many of the signals; `--only` names a row, or `endings`. */
const figures = { form: ['first', 'all'], every: [7, 1], only: ['', ''] } as const

/**
 * Runs every row of the fault table: each fault with each command that can meet it, with both fidelities of the emulator, and
 * with state in files and in git. Compares each run with its row, judges it, and searches its output and files for its secrets.
 * The short form has one cell of each row; `npm test` has every fourth of those. Then real processes are interrupted, crash,
 * and print a megabyte to a slow reader and to a full disk. The controls are a wrong row, runs with a false exit code or a
 * printed secret, and a program that exits before all is printed.
 */
export const check = declareCheck({
  name: 'faults',
  shows:
    'Each row of the fault table has the stated result for every affected command, with the correct exit code and no secret, even if the process is interrupted or crashes.',
  counts: {
    cells: [52, 400],
    rows: [52, 52],
    'channels searched': [2, 2],
    'codes seen': [13, 13],
    interrupts: [3, 21],
    'controls found': [4, 4],
  },
  short: 'ci',
  figures,
  async run(run) {
    if (!hasGit) run.skip('state in git: git is not installed', 'cells', 'rows')
    const { only } = run.figures
    if (only === '' || only === 'endings') await tryEndings(run)
    if (only === 'endings') return
    const watch = newWatch(run.seed)
    await tryRows(run, watch)
    run.count('codes seen', watch.codes.size)
    run.count('channels searched', watch.channels.size)
    run.count('bytes', watch.bytes)
    await controls(run, watch)
  },
})

type Run = CheckRun<typeof figures>

async function tryRows({ figures: { form, only }, ...run }: Run, watch: Watch) {
  const { again, report, count, say, seed, violation } = run
  const chosen = casesIn(form).filter(one => only === '' || `${one.id} ${one.name}`.includes(only))
  if (chosen.length === 0) violation(`no row of this form has ${only} in its name`)
  for (const { id, fault } of faultTable) {
    const cases = chosen.filter(one => one.id === id)
    for (const one of cases) {
      const name = `${id} ${one.name}`
      const violations = await violationsOf(one, watch)
      const command = again('--form', form, '--seed', `${seed}`, '--only', name)
      report(name, violations.length === 0 ? [] : [...violations, command])
      count('cells')
    }
    if (cases.length === 0) continue
    count('rows')
    say(`${`${id} ${fault}`.slice(0, 90).padEnd(92)}${`${cases.length}`.padStart(4)}`)
  }
}

async function tryEndings({ report, count, figures: { every }, scratchFolder, seed, violation }: Run) {
  const folder = scratchFolder()
  report('a megabyte that is printed', await printingErrors(manyMistakes(folder), 65, folder))
  report('a crash', await crashErrors(folder))
  for (const [at, one] of interrupts.entries()) {
    if (at % every !== seed % every) continue
    report(`${one.signal}, ${one.phase.name}`, await interruptErrors(one))
    count('interrupts')
  }
  const lost = await carelessPrinting(folder)
  if (lost.some(what => what.startsWith('bytes'))) count('controls found')
  else violation('the controls: a program that exits before all is printed was not found')
}

/** Plants a wrong row, a false exit code and a printed secret. */
async function controls({ count, violation }: Run, watch: Watch) {
  const one = faultCases.first.find(({ id }) => id === 'F32')
  if (one === undefined) throw new Error('the fault table has no row F32')
  const wrong = { exitCode: 0, journal: 'ready', again: 0 } as const
  const ofLine = await violationsOf({ ...one, cell: { ...one.cell, ...wrong } }, watch)
  const ofCode = await violationsOf(one, watch, ran => ({ ...ran, exitCode: 0 }))
  const [secret = ''] = Object.values(watch.secrets)
  const ofSecret = await violationsOf(one, watch, ran => ({ ...ran, err: `${ran.err}${secret}` }))
  const has = (violations: readonly string[], id: string) => violations.some(text => text.startsWith(id))
  const found = [ofLine.length >= Object.keys(wrong).length, has(ofCode, 'I2'), has(ofSecret, 'I3')]
  for (const isFound of found)
    if (isFound) count('controls found')
    else violation(`the controls: found ${found.join(', ')}`)
}
