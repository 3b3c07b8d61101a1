import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { parse, parseAllDocuments } from 'yaml'
import { checkout, gitEnvironment } from '../../support/git-repositories.js'
import { runProgram } from '../../support/program.js'
import { installed, pathWith } from '../../support/program-folder.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

type Inputs = Readonly<Record<string, unknown>>

interface InputSpec {
  readonly default?: unknown
  readonly type?: 'string' | 'array' | 'boolean' | 'number'
  readonly options?: readonly unknown[]
  readonly regex?: string
}

interface GitlabJob {
  readonly stage: string
  readonly extends?: string
  readonly needs?: readonly string[]
  readonly rules?: readonly GitlabRule[]
  readonly variables?: Readonly<Record<string, string>>
  readonly parallel?: { readonly matrix: readonly Readonly<Record<string, readonly string[]>>[] }
  readonly before_script: readonly string[]
  readonly script: readonly string[]
  readonly after_script?: readonly string[]
  readonly timeout?: string
  readonly environment?: { readonly name: string }
  readonly allow_failure?: { readonly exit_codes: readonly number[] }
  readonly artifacts?: {
    readonly paths?: readonly string[]
    readonly reports?: Readonly<Record<string, string>>
  }
}

interface GitlabRule {
  readonly if?: string
  readonly changes?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  readonly when?: 'never' | 'manual' | 'on_success'
}

/** Replaces the inputs of a component as GitLab does: after the YAML is parsed, with their types, and validated. */
export function expandComponent(text: string, inputs: Inputs): unknown {
  const [header, content] = parseAllDocuments(text).map(document => document.toJS())
  const specs: Readonly<Record<string, InputSpec>> = header.spec.inputs
  expect(Object.keys(specs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
  const value = (name: string): unknown => {
    const spec = specs[name]
    if (spec === undefined) throw new Error(`${name} is no input`)
    const given = name in inputs ? inputs[name] : spec.default
    if (given === undefined) throw new Error(`the input ${name} is missing`)
    const type = Array.isArray(given) ? 'array' : typeof given
    if (type !== (spec.type ?? 'string')) throw new Error(`the input ${name} is no ${spec.type}`)
    if (spec.options?.includes(given) === false) throw new Error(`the input ${name} is none of its options`)
    if (spec.regex !== undefined && !new RegExp(spec.regex).test(String(given)))
      throw new Error(`the input ${name} does not fit`)
    return given
  }
  const fill = (node: unknown): unknown => {
    if (typeof node === 'string') {
      const [, whole] = /^\$\[\[ inputs\.([\w-]+) \]\]$/.exec(node) ?? []
      if (whole !== undefined) return value(whole)
      return node.replaceAll(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => String(value(name)))
    }
    if (Array.isArray(node)) return node.map(fill)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [fill(key), fill(one)]))
  }
  for (const name of Object.keys(specs)) expect(text).toContain(`$[[ inputs.${name} ]]`)
  return fill(content)
}

const noJobs: readonly string[] = ['stages', 'workflow', 'default', 'variables', 'include']

/** Returns the jobs of a pipeline with what they extend. A job with a matrix becomes one job for each value. */
export function jobsOf(pipeline: unknown): Readonly<Record<string, GitlabJob>> {
  const all = (typeof pipeline === 'string' ? parse(pipeline) : pipeline) as Readonly<
    Record<string, GitlabJob>
  >
  const whole = (name: string): GitlabJob => {
    const { extends: base, ...own } = all[name] ?? {}
    return merged(base === undefined ? {} : whole(base), own) as GitlabJob
  }
  return Object.fromEntries(
    Object.keys(all)
      .filter(name => !name.startsWith('.') && !noJobs.includes(name))
      .flatMap(name => inMatrix(name, whole(name))),
  )
}

/** Expands the matrix of a job, with the names that GitLab uses. */
function inMatrix(name: string, job: GitlabJob): readonly (readonly [string, GitlabJob])[] {
  const { parallel, ...rest } = job
  if (parallel === undefined) return [[name, job]]
  return parallel.matrix.flatMap(row =>
    Object.entries(row).flatMap(([key, values]) =>
      values.map(value => {
        const filled = JSON.parse(JSON.stringify(rest).replaceAll(`$${key}"`, () => `${value}"`))
        return [
          `${name}: [${value}]`,
          { ...filled, variables: { ...filled.variables, [key]: value } },
        ] as const
      }),
    ),
  )
}

/** Merges maps recursively; any other value, including a list, replaces the former one. */
function merged(base: unknown, own: unknown): unknown {
  const isMap = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap(base) || !isMap(own)) return own
  const keys = [...new Set([...Object.keys(base), ...Object.keys(own)])]
  const read = (map: object, key: string) => (map as Readonly<Record<string, unknown>>)[key]
  return Object.fromEntries(
    keys.map(key => [key, key in own ? merged(read(base, key), read(own, key)) : read(base, key)]),
  )
}

/** Returns when a job runs in a pipeline with these variables and changed files. The first matching rule decides. */
export function whenRuns(
  job: GitlabJob | undefined,
  variables: Readonly<Record<string, string>>,
  changed: readonly string[] = ['site.yaml'],
): string {
  const rule = findRule(job, variables, changed)
  return rule === undefined ? 'never' : (rule.when ?? 'on_success')
}

function findRule(job: GitlabJob | undefined, variables: Variables, changed: readonly string[]) {
  const isChanged = (patterns: readonly string[]) =>
    changed.some(file =>
      patterns.some(one => (one.startsWith('**/*') ? file.endsWith(one.slice(4)) : file === one)),
    )
  return (job?.rules ?? [{} as GitlabRule]).find(
    one =>
      (one.if === undefined || holds(one.if, variables)) &&
      (one.changes === undefined || isChanged(one.changes)),
  )
}

/** Evaluates the few forms of expressions that the pipelines use; throws for any other. */
function holds(expression: string, variables: Readonly<Record<string, string>>): boolean {
  const value = (word: string) => (word.startsWith('$') ? variables[word.slice(1)] : word.slice(1, -1))
  return expression.split(' || ').some(either =>
    either.split(' && ').every(part => {
      const [, left, operator, right] = /^(\$\w+|"[^"]*") ([!=]=) (\$\w+|"[^"]*")$/.exec(part) ?? []
      if (left === undefined || right === undefined) throw new Error(`not known: ${part}`)
      return (value(left) === value(right)) === (operator === '==')
    }),
  )
}

type Variables = Readonly<Record<string, string>>

/**
 * Runs the jobs of a pipeline with bash as a runner does: each in a new clone, with the artifacts of the jobs that it needs.
 * Only GitLab itself is simulated: which jobs run, and which artifacts are stored.
 */
export async function gitlabRunner(pipeline: unknown, remote: string) {
  const jobs = jobsOf(pipeline)
  const path = pathWith(await temporaryFolder(), installed)

  /** Creates a pipeline. `variables` are those that GitLab sets, `secrets` those of the jobs, for all or by environment. */
  return async (
    variables: Variables,
    secrets: Variables | ((environment: string | undefined) => Variables) = {},
    changed: readonly string[] = ['site.yaml'],
  ) => {
    const kept = await temporaryFolder()
    const due = Object.entries(jobs).flatMap(([name, job]) => {
      const when = whenRuns(job, variables, changed)
      return when === 'never' ? [] : [[name, when] as const]
    })
    const artifact = (name: string, path: string) => join(kept, name, path)
    const run = async (name: string) => {
      const job = jobs[name] as GitlabJob
      const folder = await checkout(remote, '--depth=20')
      for (const need of job.needs ?? [])
        if (existsSync(join(kept, need))) cpSync(join(kept, need), folder, { recursive: true })
      const env = {
        ...gitEnvironment,
        PATH: path,
        CI: 'true',
        GITLAB_CI: 'true',
        ...variables,
        ...job.variables,
        ...findRule(job, variables, changed)?.variables,
        ...(typeof secrets === 'function' ? secrets(job.environment?.name) : secrets),
      }
      const play = (lines: readonly string[]) =>
        runProgram('bash', ['-eo', 'pipefail', '-c', lines.join('\n')], { cwd: folder, env })
      const { code, stdout, stderr } = await play([...job.before_script, ...job.script])
      // Runs in a separate shell, also after a failure; its own exit code is ignored.
      const after = await play(job.after_script ?? [])
      const { paths = [], reports = {} } = job.artifacts ?? {}
      for (const path of [...paths, ...Object.values(reports)])
        for (const found of globSync(path, { cwd: folder }))
          cpSync(join(folder, found), artifact(name, found), { recursive: true })
      return { code, log: stdout + stderr + after.stderr, after: after.stdout }
    }
    return { due, run, kept: (name: string, path: string) => readFileSync(artifact(name, path), 'utf8') }
  }
}
