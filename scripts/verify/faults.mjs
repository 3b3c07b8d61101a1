// Makes every line of the fault table happen: each fault to each command that can meet it, on both fidelities of the
// emulator and with state in files and in git. `npm run verify:faults [-- --short]`; the short form has a cell of each
// line, as `npm test` has. The control is a table that expects what does not happen.
import { complaintsOf, faultCases } from '../../dist/test/proofs/faults/cases.js'
import { faultTable } from '../../dist/test/proofs/faults/table.js'
import { hasGit } from '../../dist/test/support/git-repositories.js'
import { complain, conclude, count, figures, say, skip, violation } from './check.mjs'

const { form, only } = figures({ form: ['first', 'all'], only: ['', ''] })
if (!hasGit) skip('state in git: git is not there', 'cells', 'rows')

const chosen = faultCases[form].filter(one => only === '' || `${one.id} ${one.name}`.includes(only))
for (const { id, fault } of faultTable) {
  const cases = chosen.filter(one => one.id === id)
  for (const one of cases) {
    const complaints = await complaintsOf(one)
    const again = `npm run verify:faults -- --only "${id} ${one.name}"`
    complain(`${id} ${one.name}`, complaints.length === 0 ? [] : [...complaints, again])
    count('cells')
  }
  if (cases.length === 0) continue
  count('rows')
  say(`${`${id} ${fault}`.slice(0, 90).padEnd(92)}${`${cases.length}`.padStart(4)}`)
}
await control()
conclude()

/** Each part of what is expected is really compared. */
async function control() {
  const [one] = faultCases.first.filter(({ id }) => id === 'F32')
  const wrong = { exitCode: 0, journal: 'ready', again: 0 }
  const found = await complaintsOf({ ...one, cell: { ...one.cell, ...wrong } })
  if (found.length < Object.keys(wrong).length) violation(`the control: only ${found.length} lies were found`)
  else count('controls found')
}
