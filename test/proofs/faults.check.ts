import { faultTable } from '../../src/reference/failures/table.js'
import { hasGit } from '../support/git-repositories.js'
import { type CheckRun, declareCheck } from './check.js'
import { casesIn, complaintsOf, faultCases } from './faults/cases.js'

const figures = { form: ['first', 'all'], only: ['', ''] } as const

/**
 * Makes every line of the fault table happen: each fault to each command that can meet it, on both fidelities of the
 * emulator and with state in files and in git. The short form has a cell of each line, as `npm test` has. The control is a
 * table that expects what does not happen.
 */
export const check = declareCheck({
  name: 'faults',
  shows: 'Each line of the fault table comes to what it says, for each command that can meet it.',
  counts: { cells: [52, 400], rows: [52, 52], 'controls found': [1, 1] },
  planted: 'controls found',
  short: 'test',
  gate: 'change',
  figures,
  async run(run) {
    if (!hasGit) run.skip('state in git: git is not there', 'cells', 'rows')
    await tryRows(run)
    await control(run)
  },
})

type Run = CheckRun<typeof figures>

async function tryRows({ figures: { form, only }, again, complain, count, say }: Run) {
  const chosen = casesIn(form).filter(one => only === '' || `${one.id} ${one.name}`.includes(only))
  for (const { id, fault } of faultTable) {
    const cases = chosen.filter(one => one.id === id)
    for (const one of cases) {
      const name = `${id} ${one.name}`
      const complaints = await complaintsOf(one)
      complain(name, complaints.length === 0 ? [] : [...complaints, again('--form', form, '--only', name)])
      count('cells')
    }
    if (cases.length === 0) continue
    count('rows')
    say(`${`${id} ${fault}`.slice(0, 90).padEnd(92)}${`${cases.length}`.padStart(4)}`)
  }
}

/** Compares a run with a cell of which each part is wrong. */
async function control({ count, violation }: Run) {
  const one = faultCases.first.find(({ id }) => id === 'F32')
  if (one === undefined) throw new Error('the fault table has no line F32')
  const wrong = { exitCode: 0, journal: 'ready', again: 0 } as const
  const found = await complaintsOf({ ...one, cell: { ...one.cell, ...wrong } })
  if (found.length < Object.keys(wrong).length) violation(`the control: only ${found.length} lies were found`)
  else count('controls found')
}
