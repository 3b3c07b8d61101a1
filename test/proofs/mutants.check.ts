import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { JestReport } from '../support/jest-report.js'
import { scratchCopy } from '../support/scratch-copy.js'
import { type CheckRun, declareCheck, type Figures } from './check.js'
import { type Mutant, sourceMutants } from './mutants/source-mutants.js'
import { portMutants } from './sim/killer.js'

const figures = {
  /** The name of a mistake, to make no other. */
  only: ['', ''],
} as const satisfies Figures

type Run = CheckRun<typeof figures>

/** Makes programs with a mistake, and has a suite find each: wrong designs in the simulation, and edits of a copy. */
export const check = declareCheck({
  name: 'mutants',
  shows:
    'The checks detect planted mistakes: wrong designs, and edits of the sources that Stryker does not make.',
  counts: { designs: [22, 22], edits: [5, 12] },
  planted: 'edits',
  short: 'release',
  gate: 'release',
  figures,
  async run(run) {
    const { only } = run.figures
    const isAsked = ([name, mutant]: readonly [string, object]) =>
      only === '' ? !run.isShort || !('file' in mutant) || 'isShort' in mutant : only === name
    const designs = Object.entries(portMutants).filter(isAsked)
    const edits = Object.entries(sourceMutants).filter(isAsked)
    if (designs.length + edits.length === 0) run.violation(`there is no mutant "${only}"`)
    for (const [name, find] of designs) {
      const by = await find()
      if (by === undefined) run.violation(`${name}: no course of the simulation finds this mistake`)
      else found(run, 'designs', name, `${by.violation}, after ${by.courses} courses`)
    }
    if (edits.length > 0) await tryEdits(run, edits)
  },
})

/** Has its suite find each edit. The same suite must pass before. */
async function tryEdits(run: Run, edits: readonly (readonly [string, Mutant])[]): Promise<void> {
  const folder = scratchCopy('mutants', { withBuild: true })
  for (const [name, mutant] of edits) {
    const words = mutant.by.join(' ')
    const untouched = await judge(folder, mutant.by)
    if (untouched.kind !== 'passed')
      run.violation(`${words} does not pass without a mistake: ${untouched.why}`)
    const verdict = await tryMutant(folder, mutant)
    if (verdict.kind === 'found') found(run, 'edits', name, `${mutant.by[0]}: ${verdict.why}`)
    else if (verdict.kind === 'broken') run.violation(`${name}: ${words} does not conclude: ${verdict.why}`)
    else run.violation(`${words} does not find this mistake: ${run.again('--only', name)}`)
  }
}

function found({ count, say }: Run, kind: 'designs' | 'edits', name: string, by: string): void {
  count(kind)
  say(`found: ${name}: ${by.split('\n', 1).join().slice(0, 160)}`)
}

/** The answer of a suite; `broken` where it did not conclude. */
interface Verdict {
  readonly kind: 'found' | 'passed' | 'broken'
  readonly why: string
}

/** Makes a mistake in a copy of the project, runs its suite there, and takes the mistake back. */
async function tryMutant(folder: string, { file, from, to, by }: Mutant): Promise<Verdict> {
  const built = join(folder, 'dist', file.replace(/\.ts$/, '.js'))
  const before = readFileSync(built, 'utf8')
  // As a function: a dollar sign in a text would have a meaning.
  const source = readFileSync(join(folder, file), 'utf8').replace(from, () => to)
  const { code } = await transform(source, { loader: 'ts', target: 'es2023' })
  writeFileSync(built, code)
  try {
    const bundled = await runNode(folder, ['scripts/bundle.mjs'])
    if (bundled.code !== 0) return { kind: 'broken', why: lastLine(bundled.output) }
    return await judge(folder, by)
  } finally {
    writeFileSync(built, before)
  }
}

function judge(folder: string, [suite, ...words]: Mutant['by']): Promise<Verdict> {
  return suite === 'jest' ? judgeByJest(folder, words) : judgeByCheck(folder, [suite, ...words])
}

async function judgeByJest(folder: string, words: readonly string[]): Promise<Verdict> {
  const file = join(folder, 'jest-report.json')
  writeFileSync(file, '')
  const jest = join('node_modules', 'jest', 'bin', 'jest.js')
  const options = ['--json', `--outputFile=${file}`, '--forceExit', ...words]
  const { output } = await runNode(folder, [jest, ...options])
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text === '') return { kind: 'broken', why: lastLine(output) }
  const report: JestReport = JSON.parse(text)
  const tests = report.testResults.flatMap(one => one.assertionResults)
  const failed = tests.find(({ status }) => status === 'failed')
  if (failed !== undefined) return { kind: 'found', why: failed.fullName }
  const unread = report.testResults.find(({ status }) => status === 'failed')
  if (unread !== undefined) return { kind: 'broken', why: `${unread.name} does not run` }
  return { kind: report.numPassedTests > 0 ? 'passed' : 'broken', why: `${report.numPassedTests} passed` }
}

async function judgeByCheck(folder: string, words: readonly string[]): Promise<Verdict> {
  const { code, output } = await runNode(folder, [join('dist', 'test', 'proofs', 'verify.js'), ...words])
  const last = lastLine(output)
  if (!/\d+ violations/.test(last)) return { kind: 'broken', why: last }
  const why = /^VIOLATION +(.*)$/m.exec(output)?.[1] ?? last
  return { kind: code === 0 ? 'passed' : 'found', why }
}

const maxMs = 10 * 60_000

/** Runs Node in a folder to its end; a suite that hangs is killed with all that it started. */
async function runNode(folder: string, words: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  child.stdout.on('data', piece => pieces.push(piece))
  child.stderr.on('data', piece => pieces.push(piece))
  const hangs = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), maxMs)
  const code = await new Promise<number>(resolve => child.once('close', end => resolve(end ?? -1)))
  clearTimeout(hangs)
  return { code, output: Buffer.concat(pieces).toString('utf8') }
}

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? ''
}
