import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { JestReport } from '../../support/jest-report.js'
import { type Mutant, withMistake } from './mutant.js'

/** What a suite made of a program. */
export type Verdict =
  | { readonly kind: 'found'; readonly by: string }
  | { readonly kind: 'passed' }
  /** It did not come so far as to judge. */
  | { readonly kind: 'broken'; readonly why: string }

/** A suite that takes longer hangs. */
const longestMs = 10 * 60_000

/** Puts a mistake into a copy of the project, has its suite look at that, and takes the mistake out again. */
export async function tryMutant(folder: string, mutant: Mutant): Promise<Verdict> {
  const built = join(folder, 'dist', mutant.file.replace(/\.ts$/, '.js'))
  const before = readFileSync(built, 'utf8')
  const source = readFileSync(join(folder, mutant.file), 'utf8')
  const { code } = await transform(withMistake(source, mutant), { loader: 'ts', target: 'es2023' })
  writeFileSync(built, code)
  try {
    const bundled = await ended(folder, ['scripts/bundle.mjs'])
    if (bundled.code !== 0) return { kind: 'broken', why: `it is not bundled: ${lastLine(bundled.output)}` }
    return await judged(folder, mutant.by)
  } finally {
    writeFileSync(built, before)
  }
}

/** What a suite says of the copy as it stands. */
export function judged(folder: string, [suite, ...words]: Mutant['by']): Promise<Verdict> {
  return suite === 'jest' ? byJest(folder, words) : byCheck(folder, suite, words)
}

async function byJest(folder: string, words: readonly string[]): Promise<Verdict> {
  const place = mkdtempSync(join(tmpdir(), 'landform-jest-'))
  const file = join(place, 'report.json')
  try {
    const jest = join('node_modules', 'jest', 'bin', 'jest.js')
    const options = [jest, '--json', `--outputFile=${file}`]
    // What a mistake leaves open must not keep Jest from its end.
    const { output } = await ended(folder, [...options, '--runInBand', '--forceExit', ...words])
    if (!existsSync(file)) return { kind: 'broken', why: `Jest says nothing: ${lastLine(output)}` }
    const report: JestReport = JSON.parse(readFileSync(file, 'utf8'))
    const tests = report.testResults.flatMap(one => one.assertionResults)
    const failed = tests.find(({ status }) => status === 'failed')
    if (failed !== undefined) return { kind: 'found', by: failed.fullName }
    const unread = report.testResults.find(({ status }) => status === 'failed')
    if (unread !== undefined) return { kind: 'broken', why: `${unread.name} does not run` }
    return report.numPassedTests > 0 ? { kind: 'passed' } : { kind: 'broken', why: 'no test was run' }
  } finally {
    rmSync(place, { recursive: true })
  }
}

async function byCheck(folder: string, suite: string, words: readonly string[]): Promise<Verdict> {
  const { code, output } = await ended(folder, [join('dist', 'test', 'proofs', 'verify.js'), suite, ...words])
  if (!/\d+ violations/.test(lastLine(output)))
    return { kind: 'broken', why: `it does not conclude: ${lastLine(output)}` }
  if (code === 0) return { kind: 'passed' }
  return { kind: 'found', by: /^VIOLATION +(.*)$/m.exec(output)?.[1] ?? lastLine(output) }
}

/** Runs Node in a folder until it has ended, or for so long that it hangs. */
async function ended(folder: string, words: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  child.stdout.on('data', piece => pieces.push(piece))
  child.stderr.on('data', piece => pieces.push(piece))
  // The group, for a suite may have started others.
  const hangs = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), longestMs)
  const code = await new Promise<number>(resolve => child.once('close', end => resolve(end ?? -1)))
  clearTimeout(hangs)
  return { code, output: Buffer.concat(pieces).toString('utf8') }
}

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? ''
}
