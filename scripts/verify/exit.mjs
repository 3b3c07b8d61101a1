// Holds every exit code to the truth: after each run of the fault table by an oracle that asks the service and the state and
// never the run; with a megabyte that is printed to who reads slowly, hangs up or has no room; with stalls, exceptions and
// signals; and with bad input to every command. Programs with the mistakes that are looked for have to be found.
// `npm run verify:exit [-- --short]`; `--only NAME` does one of the six.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../dist/src/cli/exit-code.js'
import { liesInto } from '../../dist/test/proofs/exit/cell-lies.js'
import { undocumented } from '../../dist/test/proofs/exit/command-codes.js'
import { misreported, wrongPrograms } from '../../dist/test/proofs/exit/crashes.js'
import { lost } from '../../dist/test/proofs/exit/outputs.js'
import { gone } from '../../dist/test/proofs/exit/process.js'
import { interrupts, survived } from '../../dist/test/proofs/exit/signals.js'
import { complaintsOf, faultCases } from '../../dist/test/proofs/faults/cases.js'
import { removeTemporaryFolders } from '../../dist/test/support/temporary-folder.js'
import { complain, conclude, count, figures, say, scratchFolder, violation } from './check.mjs'

const { form, every, seed, only } = figures({ form: ['first', 'all'], every: [8, 1], only: ['', ''] })
const folder = scratchFolder()
const codes = new Set()
const parts = { cells, printing, crashes, signals, lines, control }

try {
  for (const [name, part] of Object.entries(parts)) if (only === '' || only === name) await part()
  const all = Object.values(exitCodes)
  complain(
    'a code',
    [...codes].filter(code => !all.includes(code)).map(code => `${code} is not documented`),
  )
  count('codes seen', codes.size)
  say(`not seen: ${all.filter(code => !codes.has(code)).join(', ') || 'none'}`)
} finally {
  await removeTemporaryFolders()
}
conclude()

async function cells() {
  for (const one of faultCases[form]) {
    const lies = []
    await complaintsOf(one, liesInto({ found: lies, codes, cell: one.cell }))
    const again = `npm run verify:faults -- --only "${one.id} ${one.name}"`
    complain(`${one.id} ${one.name}`, lies.length === 0 ? [] : [...lies, again])
    count('cells')
  }
}

/** Findings of so many files are more than a megabyte. */
async function printing() {
  const many = join(folder, 'many')
  mkdirSync(many)
  const text = readFileSync('test/invalid/volume/missing-component.yaml')
  for (let file = 0; file < 3000; file += 1) writeFileSync(join(many, `site-${file}.yaml`), text)
  const leastBytes = 2 ** 20
  for (const printed of ['json', 'sarif', 'gitlab'].slice(0, form === 'all' ? 3 : 1)) {
    complain(
      printed,
      await lost({ words: ['validate', many, '--format', printed], leastBytes, code: 65 }, folder),
    )
    count('printings', 4)
  }
  codes.add(141).add(74)
}

async function crashes() {
  complain('a crash', await misreported(folder, codes))
  count('crashes', 3)
}

async function signals() {
  for (const [at, one] of interrupts.entries()) {
    if (at % every !== seed % every) continue
    complain(one.name, await survived(one, codes))
    count('signals')
  }
}

async function lines() {
  const { runs, found } = await undocumented(codes)
  complain('a command line', found)
  count('command lines', runs)
}

async function control() {
  const { stalls, leaves } = wrongPrograms(folder)
  if ((await gone([stalls], { cwd: folder })).code !== 0)
    violation('the control: a program that stalls does not end with 0')
  else count('controls found')
  const found = await lost({ words: [leaves], leastBytes: 2 ** 20, code: 0 }, folder)
  if (found.every(one => !one.startsWith('bytes'))) violation('the control: nobody misses bytes')
  else count('controls found')
}
