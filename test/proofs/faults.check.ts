import { faultTable } from '../../scripts/reference/fault-table.js'
import { hasGit } from '../support/git-repositories.js'
import { type CheckRun, declareCheck } from './check.js'
import { casesIn, complaintsOf, faultCases } from './faults/cases.js'
import { newWatch, type Watch } from './faults/watch.js'

const figures = { form: ['first', 'all'], only: ['', ''] } as const

/**
 * Makes every line of the fault table happen: each fault to each command that can meet it, on both fidelities of the
 * emulator and with state in files and in git. Each run is held to its line, its exit code to the service and the state, and
 * all that it prints and leaves behind is searched for its secrets. The short form has a cell of each line; `npm test` has every fourth of them.
 * The controls are a table that expects what does not happen, and runs that lie about their exit code and print a secret.
 */
export const check = declareCheck({
  name: 'faults',
  shows:
    'Each row of the fault table has the stated result for every affected command, with the correct exit code and no secret.',
  counts: {
    cells: [52, 400],
    rows: [52, 52],
    'channels searched': [2, 2],
    'codes seen': [13, 13],
    'controls found': [3, 3],
  },
  planted: 'controls found',
  short: 'ci',
  gate: 'change',
  figures,
  async run(run) {
    if (!hasGit) run.skip('state in git: git is not there', 'cells', 'rows')
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
  const { again, complain, count, say, seed, violation } = run
  const chosen = casesIn(form).filter(one => only === '' || `${one.id} ${one.name}`.includes(only))
  if (chosen.length === 0) violation(`no row of this form has ${only} in its name`)
  for (const { id, fault } of faultTable) {
    const cases = chosen.filter(one => one.id === id)
    for (const one of cases) {
      const name = `${id} ${one.name}`
      const complaints = await complaintsOf(one, watch)
      const command = again('--form', form, '--seed', `${seed}`, '--only', name)
      complain(name, complaints.length === 0 ? [] : [...complaints, command])
      count('cells')
    }
    if (cases.length === 0) continue
    count('rows')
    say(`${`${id} ${fault}`.slice(0, 90).padEnd(92)}${`${cases.length}`.padStart(4)}`)
  }
}

/** Each part of a line, an exit code that is not so, and a secret that is printed have to be noticed. */
async function controls({ count, violation }: Run, watch: Watch) {
  const one = faultCases.first.find(({ id }) => id === 'F32')
  if (one === undefined) throw new Error('the fault table has no line F32')
  const wrong = { exitCode: 0, journal: 'ready', again: 0 } as const
  const ofLine = await complaintsOf({ ...one, cell: { ...one.cell, ...wrong } }, watch)
  const ofCode = await complaintsOf(one, watch, ran => ({ ...ran, exitCode: 0 }))
  const [secret = ''] = Object.values(watch.secrets)
  const ofSecret = await complaintsOf(one, watch, ran => ({ ...ran, err: `${ran.err}${secret}` }))
  const found = [ofLine.length >= Object.keys(wrong).length, ofCode.length > 0, ofSecret.length > 0]
  for (const isFound of found)
    if (isFound) count('controls found')
    else violation(`the controls: found ${found.join(', ')}`)
}
