import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { checkout, gitEnvironment } from './git-repositories.js'
import { runProgram } from './program.js'
import { installed, pathWith } from './program-folder.js'
import { temporaryFolder } from './temporary-folder.js'

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
  readonly before_script: readonly string[]
  readonly script: readonly string[]
  readonly after_script?: readonly string[]
  readonly timeout?: string
  readonly allow_failure?: { readonly exit_codes: readonly number[] }
  readonly artifacts?: {
    readonly paths?: readonly string[]
    readonly reports?: Readonly<Record<string, string>>
  }
}

interface GitlabRule {
  readonly if?: string
  readonly when?: 'never' | 'manual' | 'on_success'
}

/** Puts inputs into a component as GitLab does: typed, checked, after the YAML was read. */
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

/** The jobs of a pipeline with all that they extend. */
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
      .map(name => [name, whole(name)]),
  )
}

/** Maps key by key; lists and everything else replace. */
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

/** When a job runs in a pipeline with these variables; the first rule that holds decides. */
export function whenRuns(job: GitlabJob | undefined, variables: Readonly<Record<string, string>>): string {
  const rules = job?.rules ?? [{}]
  const rule = rules.find(one => one.if === undefined || holds(one.if, variables))
  return rule === undefined ? 'never' : (rule.when ?? 'on_success')
}

/** The few expressions that are used; one that is not known fails. */
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
 * Runs the jobs of a pipeline with bash as a runner does, each in a clone of its own, with the artifacts of the jobs that
 * it needs. Only GitLab itself is played: which jobs run, and what is kept of them.
 */
export async function gitlabRunner(pipeline: unknown, remote: string) {
  const jobs = jobsOf(pipeline)
  const path = pathWith(await temporaryFolder(), installed)

  /** One pipeline: `variables` are those that GitLab sets, `secrets` those of the environment. */
  return async (variables: Variables, secrets: Variables = {}) => {
    const kept = await temporaryFolder()
    const due = Object.entries(jobs).flatMap(([name, job]) => {
      const when = whenRuns(job, variables)
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
        // Compiled code of the program, which the rehearsed pages share.
        ...variables,
        ...job.variables,
        ...secrets,
      }
      const play = (lines: readonly string[]) =>
        runProgram('bash', ['-eo', 'pipefail', '-c', lines.join('\n')], { cwd: folder, env })
      const { code, stdout, stderr } = await play([...job.before_script, ...job.script])
      // A shell of its own, also after a failure, which ends no job.
      const after = await play(job.after_script ?? [])
      const { paths = [], reports = {} } = job.artifacts ?? {}
      for (const path of [...paths, ...Object.values(reports)])
        if (existsSync(join(folder, path))) {
          mkdirSync(join(kept, name), { recursive: true })
          cpSync(join(folder, path), artifact(name, path))
        }
      return { code, log: stdout + stderr + after.stderr, after: after.stdout }
    }
    return { due, run, kept: (name: string, path: string) => readFileSync(artifact(name, path), 'utf8') }
  }
}
