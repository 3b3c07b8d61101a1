import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { globSync } from 'tinyglobby'
import { parse } from 'yaml'
import { gitEnvironment } from '../../support/git-repositories.js'
import { root } from '../../support/manifests.js'
import { runProgram } from '../../support/program.js'
import { installed, pathWith } from '../../support/program-folder.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** Evaluates the expressions of a job. Throws if one has no value. */
export interface Expressions {
  /** Records the outputs and the outcome of a step. */
  tell(step: string | undefined, output: string, outcome: 'success' | 'failure'): void
  /** Returns the output `STEP.NAME`. */
  told(output: string): string | undefined
  filled(text: string): string
  /** Tests whether a step or job runs, with `hasFailed` if an earlier one failed. */
  isDue(condition: string | undefined, hasFailed: boolean): boolean
}

/** Returns expressions with the values of a run; `hashFiles` searches `folder`. */
function expressionsOf(known: ReadonlyMap<string, string>, folder: string): Expressions {
  const outputs = new Map<string, string>()
  const outcomes = new Map<string | undefined, string>()
  const resolved = (expression: string): string => {
    const [, step, name] = /^steps\.(\w+)\.outputs\.([\w-]+)$/.exec(expression) ?? []
    if (step !== undefined && name !== undefined) return outputs.get(`${step}.${name}`) ?? ''
    const [, ended] = /^steps\.(\w+)\.outcome$/.exec(expression) ?? []
    if (ended !== undefined) return outcomes.get(ended) ?? 'skipped'
    const value = known.get(expression)
    // By default the repository has all its secrets.
    if (value === undefined && expression.startsWith('secrets.')) return `Secret1-${expression.slice(8)}`
    if (value === undefined) throw new Error(`no value for ${expression}`)
    return value
  }
  /** Translates an expression to JavaScript, which has the same operators. */
  const translated = (condition: string, hasFailed: boolean) =>
    condition.replaceAll(/'[^']*'|hashFiles\('([^']*)'\)|(\w+)\(\)|[a-z][\w.-]*/g, (word, file, status) => {
      if (word.startsWith("'")) return JSON.stringify(word.slice(1, -1))
      if (file !== undefined) return JSON.stringify(existsSync(join(folder, file)) ? 'digest' : '')
      if (status !== undefined) return String(status === 'failure' && hasFailed)
      return JSON.stringify(resolved(word))
    })
  return {
    told: output => outputs.get(output),
    tell(step, output, outcome) {
      outcomes.set(step, outcome)
      for (const line of output.split('\n')) {
        const [name = '', value = ''] = line.split('=')
        outputs.set(`${step}.${name}`, value)
      }
    },
    filled: text => text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => resolved(expression)),
    isDue(condition = '', hasFailed) {
      const bare = condition.replaceAll(/\$\{\{ | \}\}/g, '')
      if (hasFailed && !/(?:cancelled|failure)\(\)/.test(bare)) return false
      return bare === '' || runInNewContext(translated(bare, hasFailed)) === true
    },
  }
}

interface Step {
  readonly name?: string
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly 'continue-on-error'?: true
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}

interface Job {
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

/** The context of a job. */
interface JobRun {
  readonly event: string
  readonly folder: string
  readonly run: string
  readonly sha?: string
  /** Values of expressions that depend on the run, such as `inputs.run`. */
  readonly values?: Readonly<Record<string, string>>
  /** Environment variables in addition to those of the runner. */
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Runs the steps of jobs with bash as a runner does. npm and gh are replaced by scripts; a folder stands in for GitHub.
 * `landform` is a script to run instead of the program.
 */
export async function workflowRunner(text: string, landform?: string) {
  const { env, jobs } = parse(text) as {
    readonly env: Readonly<Record<string, string>>
    readonly jobs: Readonly<Record<string, Job>>
  }
  const hub = await temporaryFolder()
  const at = (name: string) => join(hub, name)
  const path = pathWith(at('programs'), {
    ...installed,
    gh: `exec '${process.execPath}' '${join(root, 'test/system/ci/programs/gh.mjs')}' "$@"`,
    ...(landform !== undefined && { landform }),
  })

  const runJob = async (name: string, job: JobRun) => {
    const { folder, run } = job
    const { steps, env: ofJob = {} } = jobs[name] ?? { steps: [] }
    const file = (kind: string) => at(`${name}-${kind}`)
    const known = valuesOf(env, job)
    const expressions = expressionsOf(known, folder)
    const fill = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, expressions.filled(value)]))
    let variables = { ...runnerVariables(job, file), ...fill(env), ...fill(ofJob), FAKE_HUB: hub, PATH: path }
    let exitCode = 0
    let log = ''
    for (const step of steps) {
      if (!expressions.isDue(step.if, exitCode !== 0)) continue
      if (step.uses?.startsWith('actions/upload-artifact@') === true)
        keepArtifact(step.with ?? {}, folder, at(`artifacts/${run}`))
      if (step.uses?.startsWith('actions/attest@') === true)
        for (const one of globSync(step.with?.['subject-path'] ?? '', { cwd: folder }))
          attest(join(folder, one), at('attestations.json'))
      if (step.run === undefined) continue
      for (const kind of ['output', 'env']) writeFileSync(file(kind), '')
      const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run]
      const ended = await runProgram('bash', words, {
        cwd: folder,
        env: { ...variables, ...fill(step.env ?? {}) },
      })
      if (step['continue-on-error'] !== true) exitCode ||= ended.code
      log += ended.stdout + ended.stderr
      const outcome = ended.code === 0 ? 'success' : 'failure'
      expressions.tell(step.id, readFileSync(file('output'), 'utf8'), outcome)
      for (const [, key = '', value = ''] of readFileSync(file('env'), 'utf8').matchAll(/^(\w+)=(.*)$/gm)) {
        variables = { ...variables, [key]: value }
        known.set(`env.${key}`, value)
      }
    }
    const summary = existsSync(file('summary')) ? readFileSync(file('summary'), 'utf8') : ''
    return { exitCode, log, summary, output: expressions.told }
  }
  /** Tests whether a job runs, after the jobs that it needs. */
  const isDue = (name: string, job: JobRun, hasFailed = false) =>
    expressionsOf(valuesOf(env, job), job.folder).isDue(jobs[name]?.if, hasFailed)
  return {
    runJob,
    isDue,
    file: at,
    kept: (name: string) => (existsSync(at(name)) ? JSON.parse(readFileSync(at(name), 'utf8')) : []),
    keep: (name: string, value: unknown) => {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), JSON.stringify(value))
    },
  }
}

const workflow = 'acme/sites/.github/workflows/landform.yml'

/** Returns the values of expressions. By default a person opened a pull request within the repository. */
function valuesOf(
  env: Readonly<Record<string, string>>,
  { event, values = {} }: JobRun,
): Map<string, string> {
  return new Map(
    Object.entries({
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [`env.${name}`, value])),
      'github.token': 'ghs_1',
      'github.event_name': event,
      'github.actor': 'somebody',
      'github.repository': 'acme/sites',
      'github.ref': 'refs/heads/main',
      'github.event.pull_request.number': '7',
      'github.event.pull_request.user.login': 'somebody',
      'github.event.pull_request.head.repo.full_name': 'acme/sites',
      ...values,
    }),
  )
}

/** Returns the environment variables that a runner sets for every step. */
function runnerVariables({ event, run, sha = 'abc', environment }: JobRun, file: (kind: string) => string) {
  return {
    ...gitEnvironment,
    ...environment,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ENV: file('env'),
    GITHUB_EVENT_NAME: event,
    GITHUB_OUTPUT: file('output'),
    GITHUB_PATH: file('path'),
    GITHUB_REPOSITORY: 'acme/sites',
    GITHUB_RUN_ID: run,
    GITHUB_SHA: sha,
    GITHUB_STEP_SUMMARY: file('summary'),
    GITHUB_WORKFLOW_REF: `${workflow}@refs/heads/main`,
  }
}

function keepArtifact({ path = '', name = '' }: Step['with'] & {}, folder: string, kept: string): void {
  rmSync(join(kept, name), { recursive: true, force: true })
  cpSync(join(folder, path), join(kept, name), { recursive: true })
}

/** Records an attestation of a file, where the stand-in for `gh attestation verify` finds it. */
function attest(path: string, kept: string): void {
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
  const all = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []
  writeFileSync(kept, JSON.stringify([...all, { digest, repo: 'acme/sites', workflow }]))
}
