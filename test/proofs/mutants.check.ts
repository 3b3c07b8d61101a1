import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchCopy } from '../support/scratch-copy.js'
import { type CheckRun, declareCheck, type Figures } from './check.js'
import { sourceMutants } from './mutants/demanded.js'
import { type Mutant, withMistake } from './mutants/mutant.js'
import { judged, tryMutant } from './mutants/try-mutant.js'
import { portMutants } from './sim/killer.js'

const figures = {
  /** The name of a mistake, to make no other. */
  only: ['', ''],
  /** A suite, to make the mistakes that it is to find. */
  suite: ['', ''],
} as const satisfies Figures

/**
 * Makes programs with a mistake in them, and has suites find each: designs of others in the simulation, and edits of the
 * sources in a scratch copy, some of which take back what was fixed once.
 */
export const check = declareCheck({
  name: 'mutants',
  shows: 'The checks detect planted mistakes: other designs, edits of the sources, and reverted bug fixes.',
  counts: { designs: [22, 22], edits: [9, 173], 'checks that found one': [4, 21] },
  planted: 'edits',
  short: 'release',
  gate: 'release',
  figures,
  async run(run) {
    const { only, suite } = run.figures
    const isAsked = (name: string, by: string) =>
      (only === '' || only === name) && (suite === '' || suite === by)
    const designs = Object.entries(portMutants).filter(([name]) => isAsked(name, 'sim'))
    const isTried = ({ isShort }: Mutant) => only !== '' || !run.isShort || isShort === true
    const edits = Object.entries(sourceMutants)
      .filter(([name, mutant]) => isAsked(name, mutant.by[0]) && isTried(mutant))
      .map(([name, mutant]) => ({ name, mutant }))
    if (designs.length + edits.length === 0) run.violation(`there is no mutant "${only}${suite}"`)
    for (const [name, find] of designs) {
      const by = await find()
      if (by === undefined) run.violation(`${name}: nothing finds this mistake`)
      else found(run, 'designs', name, `sim: ${by.violation}, after ${by.courses} courses`)
    }
    const finders = edits.length > 0 ? await tryEdits(run, edits) : []
    run.count('checks that found one', new Set(finders).size)
  },
})

type Run = CheckRun<typeof figures>

interface Edit {
  readonly name: string
  readonly mutant: Mutant
}

/** A change after which everything is as before: a suite that finds it finds anything. */
const control: Edit = {
  name: 'a change that changes nothing',
  mutant: {
    file: 'src/apply/wait/wait-result.ts',
    from: 'const believedAfter = 2',
    to: 'const believedAfter = 1 + 1',
    by: ['jest', 'apply/wait-until-ready'],
  },
}
const filesARun = 6

/** Has its suite find each edit, and answers with the checks that found one. */
async function tryEdits(run: Run, edits: readonly Edit[]): Promise<readonly string[]> {
  const first = scratchCopy('mutants', { withBuild: true })
  const folders = [first, scratchCopy('mutants', { withBuild: true })]
  if (!run.isShort && run.figures.only === '') compileAll(run, first, edits)
  await inFolders(suitesOf(edits), folders, async (by, folder) => {
    const verdict = await judged(folder, by)
    if (verdict.kind === 'passed') return
    const why = verdict.kind === 'found' ? verdict.by : verdict.why
    run.violation(`${by.join(' ')} does not pass as it is: ${why}`)
  })
  const finders: string[] = []
  await inFolders([control, ...edits], folders, async (edit, folder) => {
    if (edit === control) return tryControl(run, folder)
    const finder = await tryEdit(run, edit, folder)
    if (finder !== undefined) finders.push(finder)
  })
  return finders
}

async function tryControl(run: Run, folder: string): Promise<void> {
  const { name, mutant } = control
  const verdict = await tryMutant(folder, mutant)
  const words = mutant.by.join(' ')
  if (verdict.kind === 'passed') run.say(`not found, as it must be: ${name}`)
  else if (verdict.kind === 'found') run.violation(`${words} finds ${name}: ${verdict.by}`)
  else run.violation(`${name}: ${words} has no answer: ${verdict.why}`)
}

/** Tries one edit, and answers with the check that found it, if one did. */
async function tryEdit(run: Run, { name, mutant }: Edit, folder: string): Promise<string | undefined> {
  const verdict = await tryMutant(folder, mutant)
  const [suite] = mutant.by
  const words = mutant.by.join(' ')
  if (verdict.kind === 'broken') run.violation(`${name}: ${words} has no answer: ${verdict.why}`)
  if (verdict.kind === 'passed')
    run.violation(`${words} does not find this mistake: ${run.again('--only', name)}`)
  if (verdict.kind !== 'found') return undefined
  found(run, 'edits', name, `${suite}: ${verdict.by}`)
  return suite === 'jest' ? undefined : suite
}

function found({ count, say }: Run, kind: 'designs' | 'edits', name: string, by: string): void {
  count(kind)
  const [line = ''] = by.split('\n')
  say(`found: ${name}: ${line.slice(0, 160)}`)
}

/** The suites that must pass as it is: test files, some in one run, and each check with its words. */
function suitesOf(edits: readonly Edit[]): readonly Mutant['by'][] {
  const all = edits.map(({ mutant: { by } }) => by)
  const tests = all.filter(([suite]) => suite === 'jest').flatMap(([, ...words]) => filesAmong(words))
  const checks = new Map(all.filter(([suite]) => suite !== 'jest').map(by => [by.join(' '), by]))
  const files = [...new Set(tests)]
  const runs = Array.from(
    { length: Math.ceil(files.length / filesARun) },
    (_, at) => ['jest', ...files.slice(at * filesARun, (at + 1) * filesARun)] as const,
  )
  return [...runs, ...checks.values()]
}

function filesAmong(words: readonly string[]): readonly string[] {
  const end = words.indexOf('-t')
  return end < 0 ? words : words.slice(0, end)
}

/** Compiles every edit: a mistake that the compiler finds is none for a suite. Of each file one edit is made at a time. */
function compileAll(run: Run, folder: string, edits: readonly Edit[]): void {
  const compilerOptions = { noEmit: true, noUnusedLocals: false, noUnusedParameters: false }
  const config = { extends: './tsconfig.json', include: ['src'], compilerOptions }
  writeFileSync(join(folder, 'tsconfig.mutants.json'), JSON.stringify(config))
  for (let rest = edits; rest.length > 0; ) {
    const round = new Map(rest.toReversed().map(({ mutant }) => [mutant.file, mutant]))
    rest = rest.filter(({ mutant }) => round.get(mutant.file) !== mutant)
    const complaint = findCompilerError(folder, [...round.values()])
    if (complaint !== undefined) run.violation(`mistakes that do not compile: ${complaint}`)
  }
}

/** Makes edits of different files, compiles them, and takes them back. */
function findCompilerError(folder: string, mutants: readonly Mutant[]): string | undefined {
  const files = mutants.map(mutant => {
    const path = join(folder, mutant.file)
    return { mutant, path, source: readFileSync(path, 'utf8') }
  })
  for (const { mutant, path, source } of files) writeFileSync(path, withMistake(source, mutant))
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.mutants.json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  for (const { path, source } of files) writeFileSync(path, source)
  return status === 0 ? undefined : stdout
}

/** Does some work for each item, one at a time in each folder. */
async function inFolders<T>(
  items: readonly T[],
  folders: readonly string[],
  work: (item: T, folder: string) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const workIn = async (folder: string) => {
    for (const item of rest) await work(item, folder)
  }
  await Promise.all(folders.map(workIn))
}
