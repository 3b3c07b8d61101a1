import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/report/exit-code.js'
import { type CheckRun, declareCheck } from './check.js'
import { undocumented } from './exit/command-codes.js'
import { misreported, wrongPrograms } from './exit/crashes.js'
import { lost } from './exit/outputs.js'
import { gone } from './exit/process.js'
import { interrupts, survived } from './exit/signals.js'

/** `--only` names one of the five parts. */
const figures = { every: [8, 1], only: ['', ''] } as const

/**
 * Holds exit codes to the truth: with a megabyte that is printed to who reads slowly, hangs up or has no room; with stalls,
 * exceptions and signals; and with bad input to every command. `faults` holds those of the fault table. Programs with the
 * mistakes that are looked for have to be found.
 */
export const check = declareCheck({
  name: 'exit',
  shows: 'Each exit code is correct, whatever happens to the run, and reports incomplete output.',
  counts: {
    printings: [4, 12],
    crashes: [3, 3],
    signals: [4, 32],
    'command lines': [80, 80],
    'codes seen': [10, 13],
    'controls found': [2, 2],
  },
  planted: 'controls found',
  short: 'ci',
  gate: 'release',
  figures,
  async run(run) {
    const found: Found = { folder: run.scratchFolder(), codes: new Set() }
    const [wanted] = run.figures.only.split(' ')
    for (const [name, part] of Object.entries(parts))
      if (wanted === '' || wanted === name) await part(run, found)
    reportWrongCodes(run, found)
  },
})

type Run = CheckRun<typeof figures>

interface Found {
  readonly folder: string
  /** Every exit code that a run ended with. */
  readonly codes: Set<number>
}

const parts: Readonly<Record<string, (run: Run, found: Found) => Promise<void>>> = {
  printing,
  crashes,
  signals,
  lines,
  control,
}

function reportWrongCodes({ complain, count, say }: Run, { codes }: Found) {
  const all: readonly number[] = Object.values(exitCodes)
  complain(
    'a code',
    [...codes].filter(code => !all.includes(code)).map(code => `${code} is not documented`),
  )
  count('codes seen', codes.size)
  say(`not seen: ${all.filter(code => !codes.has(code)).join(', ') || 'none'}`)
}

/** So many files, each with as many findings as a file may have, print more than a megabyte, and are read soon. */
const manyFiles = 14
const unknownFields = 300

async function printing({ isShort, complain, count }: Run, { codes, folder }: Found) {
  const many = join(folder, 'many')
  mkdirSync(many)
  const unknown = Array.from({ length: unknownFields }, (_, at) => `  unknown${at}: 1\n`)
  const text = readFileSync('examples/quickstart.yaml', 'utf8').replace(
    'spec:\n',
    `spec:\n${unknown.join('')}`,
  )
  for (let file = 0; file < manyFiles; file += 1) writeFileSync(join(many, `site-${file}.yaml`), text)
  const leastBytes = 2 ** 20
  for (const printed of ['json', 'sarif', 'gitlab'].slice(0, isShort ? 1 : 3)) {
    const words = ['validate', many, '--format', printed]
    complain(printed, await lost({ words, leastBytes, code: 65 }, folder))
    count('printings', 4)
  }
  codes.add(141).add(74)
}

async function crashes({ complain, count }: Run, { codes, folder }: Found) {
  complain('a crash', await misreported(folder, codes))
  count('crashes', 3)
}

async function signals({ figures: { every }, seed, complain, count }: Run, { codes }: Found) {
  for (const [at, one] of interrupts.entries()) {
    if (at % every !== seed % every) continue
    complain(one.name, await survived(one, codes))
    count('signals')
  }
}

async function lines({ complain, count }: Run, { codes }: Found) {
  const { runs, found } = await undocumented(codes)
  complain('a command line', found)
  count('command lines', runs)
}

async function control({ count, violation }: Run, { folder }: Found) {
  const { stalls, leaves } = wrongPrograms(folder)
  if ((await gone([stalls], { cwd: folder })).code !== 0)
    violation('the control: a program that stalls does not end with 0')
  else count('controls found')
  const found = await lost({ words: [leaves], leastBytes: 2 ** 20, code: 0 }, folder)
  if (found.every(one => !one.startsWith('bytes'))) violation('the control: nobody misses bytes')
  else count('controls found')
}
