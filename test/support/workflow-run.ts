import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { gitEnvironment } from './git-repositories.js'
import { root } from './manifests.js'
import { runProgram } from './program.js'
import { installed, pathWith } from './program-folder.js'
import { temporaryFolder } from './temporary-folder.js'

/** The expressions of a job, and what they stand for; one that is not known fails. */
export interface Expressions {
  /** Takes what a step tells later ones, and how it ended. */
  tell(step: string | undefined, output: string, outcome: 'success' | 'failure'): void
  /** The same, by `STEP.NAME`. */
  told(output: string): string | undefined
  filled(text: string): string
  /** Whether a step is run, after steps of which one failed or none. */
  isDue(condition: string | undefined, hasFailed: boolean): boolean
}

/** Expressions with values that the run brings; `folder` is where files are looked for. */
function expressionsOf(known: Readonly<Record<string, string>>, folder: string): Expressions {
  const outputs = new Map<string, string>()
  const outcomes = new Map<string | undefined, string>()
  const resolved = (expression: string): string => {
    const [, step, name] = /^steps\.(\w+)\.outputs\.([\w-]+)$/.exec(expression) ?? []
    if (step !== undefined && name !== undefined) return outputs.get(`${step}.${name}`) ?? ''
    const [, ended] = /^steps\.(\w+)\.outcome$/.exec(expression) ?? []
    if (ended !== undefined) return outcomes.get(ended) ?? 'skipped'
    const value = known[expression]
    // A repository that has its secrets, unless a test says otherwise.
    if (value === undefined && expression.startsWith('secrets.')) return `Secret1-${expression.slice(8)}`
    if (value === undefined) throw new Error(`no value for ${expression}`)
    return value
  }
  const holds = (part: string): boolean => {
    if (part === '' || part === '!cancelled()') return true
    const [, pattern] = /^hashFiles\('(.*)'\) != ''$/.exec(part) ?? []
    if (pattern !== undefined) return existsSync(join(folder, pattern))
    const [, expression = '', operator, value] = /^([\w.-]+) ([!=]=) '(.*)'$/.exec(part) ?? []
    return (resolved(expression) === value) === (operator === '==')
  }
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
      if (hasFailed && !bare.includes('cancelled()')) return false
      return bare.split(' || ').some(either => either.split(' && ').every(holds))
    },
  }
}

interface Step {
  readonly name?: string
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}

/** What a job is run for. */
interface JobRun {
  readonly event: string
  readonly folder: string
  readonly run: string
  readonly sha?: string
  /** Values of expressions that depend on the run, such as `inputs.run`. */
  readonly values?: Readonly<Record<string, string>>
  /** What the runner tells every step beside what it tells them all. */
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Runs the steps of jobs with bash as a runner does, with stand-ins for npm and gh, in front of a folder in place of
 * GitHub. `landform` is a script that plays the program, if it is not to be the program itself.
 */
export async function workflowRunner(text: string, landform?: string) {
  const { env, jobs } = parse(text) as {
    readonly env: Readonly<Record<string, string>>
    readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
  }
  const hub = await temporaryFolder()
  const at = (name: string) => join(hub, name)
  const path = pathWith(at('programs'), {
    ...installed,
    gh: `exec '${process.execPath}' '${join(root, 'test/system/ci/programs/gh.mjs')}' "$@"`,
    ...(landform !== undefined && { landform }),
  })

  const runJob = async (name: string, job: JobRun) => {
    const { folder, run, values = {} } = job
    const file = (kind: string) => at(`${name}-${kind}`)
    const known = {
      ...environmentOf(env),
      'github.token': 'ghs_1',
      'github.event.pull_request.number': '7',
      ...values,
    }
    const expressions = expressionsOf(known, folder)
    const variables = { ...runnerVariables(job, file), ...env, FAKE_HUB: hub, PATH: path }
    let exitCode = 0
    let log = ''
    for (const step of jobs[name]?.steps ?? []) {
      if (!expressions.isDue(step.if, exitCode !== 0)) continue
      if (step.uses?.startsWith('actions/upload-artifact@') === true)
        keepArtifact(step.with ?? {}, folder, at(`artifacts/${run}`))
      if (step.uses?.startsWith('actions/attest@') === true)
        attest(join(folder, step.with?.['subject-path'] ?? ''), at('attestations.json'))
      if (step.run === undefined) continue
      writeFileSync(file('output'), '')
      const given = Object.entries(step.env ?? {}).map(([key, value]) => [key, expressions.filled(value)])
      const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run]
      const ended = await runProgram('bash', words, {
        cwd: folder,
        env: { ...variables, ...Object.fromEntries(given) },
      })
      exitCode ||= ended.code
      log += ended.stdout + ended.stderr
      const outcome = ended.code === 0 ? 'success' : 'failure'
      expressions.tell(step.id, readFileSync(file('output'), 'utf8'), outcome)
    }
    const summary = existsSync(file('summary')) ? readFileSync(file('summary'), 'utf8') : ''
    return { exitCode, log, summary, output: expressions.told }
  }
  return {
    runJob,
    file: at,
    kept: (name: string) => (existsSync(at(name)) ? JSON.parse(readFileSync(at(name), 'utf8')) : []),
    keep: (name: string, value: unknown) => {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), JSON.stringify(value))
    },
  }
}

const workflow = 'acme/sites/.github/workflows/landform.yml'

function environmentOf(env: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [`env.${name}`, value]))
}

/** What a runner tells every step. */
function runnerVariables({ event, run, sha = 'abc', environment }: JobRun, file: (kind: string) => string) {
  return {
    ...gitEnvironment,
    ...environment,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
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
  mkdirSync(join(kept, name), { recursive: true })
  copyFileSync(join(folder, path), join(kept, name, basename(path)))
}

/** Notes that the workflow attested a file, as `gh attestation verify` finds it. */
function attest(path: string, kept: string): void {
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
  const all = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []
  writeFileSync(kept, JSON.stringify([...all, { digest, repo: 'acme/sites', workflow }]))
}
