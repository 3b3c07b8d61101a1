import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { parse } from 'yaml'
import { checkout, gitEnvironment } from '../../support/git-repositories.js'
import { runProgram } from '../../support/program.js'
import { installed, pathWith } from '../../support/program-folder.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

type Variables = Readonly<Record<string, string>>

interface Step {
  readonly bash?: string
  readonly task?: string
  readonly inputs?: Readonly<Record<string, string>>
  readonly name?: string
  readonly env?: Variables
  readonly publish?: string
  readonly download?: string
  readonly artifact?: string
}

interface Job {
  readonly job?: string
  readonly deployment?: string
  readonly environment?: string
  readonly timeoutInMinutes?: number
  readonly variables?: Variables
  readonly steps?: readonly Step[]
  readonly strategy?: { readonly runOnce: { readonly deploy: { readonly steps: readonly Step[] } } }
}

interface Stage {
  readonly stage: string
  readonly dependsOn?: string
  readonly condition?: string
  readonly jobs: readonly [Job]
}

/** The functions of Azure expressions. An expression with any other function fails. */
const functions = {
  and: (...all: readonly boolean[]) => all.every(Boolean),
  // Texts are compared case-insensitively, and a missing variable is empty.
  eq: (left = '', right = '') => left.toLowerCase() === right.toLowerCase(),
  ne: (left = '', right = '') => left.toLowerCase() !== right.toLowerCase(),
  contains: (text = '', part = '') => text.includes(part),
  replace: (text: string, from: string, to: string) => text.replaceAll(from, to),
}

/** Evaluates the expressions that Azure Pipelines expands before a run. */
export function expandPipeline(text: string): {
  readonly variables: Variables
  readonly stages: readonly Stage[]
} {
  const { parameters, variables, ...rest } = parse(text)
  const lists = Object.fromEntries(
    parameters.map((one: { readonly name: string; readonly default: unknown }) => [one.name, one.default]),
  )
  const expand = (node: unknown, scope: object): unknown => {
    const evaluate = (expression: string) =>
      runInNewContext(expression, { ...functions, variables, parameters: lists, ...scope })
    if (typeof node === 'string')
      return node.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => String(evaluate(expression)))
    if (Array.isArray(node))
      return node.flatMap(one => {
        const [key = ''] = typeof one === 'object' ? Object.keys(one) : []
        const [, name = '', list] = /^\$\{\{ each (\w+) in (\S+) \}\}$/.exec(key) ?? []
        if (list !== undefined)
          return evaluate(list).flatMap((value: string) => expand(one[key], { ...scope, [name]: value }))
        const [, condition] = /^\$\{\{ if (.*) \}\}$/.exec(key) ?? []
        if (condition !== undefined) return evaluate(condition) ? expand(one[key], scope) : []
        return [expand(one, scope)]
      })
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, expand(one, scope)]))
  }
  return {
    variables: expand(variables, {}) as Variables,
    stages: expand(rest.stages, {}) as readonly Stage[],
  }
}

interface StageEnd {
  readonly result: 'Succeeded' | 'SucceededWithIssues' | 'Failed' | 'Skipped'
  readonly code: number
  readonly log: string
  readonly summary: string
}

/**
 * Runs the stages of a pipeline with bash as an agent does: each job in a clone of its own; each step without `set -e` and with
 * only the secrets that it maps. Only Azure DevOps itself is simulated. `secrets` are the secret variables of the pipeline,
 * `connection` the variables that a task gets from its service connection.
 */
export async function azureRunner(text: string, remote: string, connection: Variables = {}) {
  const { variables, stages } = expandPipeline(text)
  const programs = pathWith(await temporaryFolder(), installed)

  return async (system: Variables, secrets: Variables = {}) => {
    const artifacts = await temporaryFolder()
    const ends = new Map<string, StageEnd>()
    const outputs: Record<string, { readonly outputs: Record<string, string> }> = {}

    const isDue = ({ stage, dependsOn, condition = 'succeeded()' }: Stage) => {
      const [before] = dependsOn === undefined ? [...ends.keys()].slice(-1) : [dependsOn]
      const isDone = before === undefined || /^Succeeded/.test(ends.get(before)?.result ?? '')
      const context = { ...functions, succeeded: () => isDone, variables: system, dependencies: outputs }
      outputs[stage] = { outputs: {} }
      return runInNewContext(condition, context) === true
    }

    const runStage = async ({ stage, jobs: [job] }: Stage): Promise<StageEnd> => {
      const folder = await checkout(remote, '--depth=1')
      const workspace = await temporaryFolder()
      const steps = job.steps ?? job.strategy?.runOnce.deploy.steps ?? []
      let known: Variables = { ...variables, ...job.variables }
      const environmentOf = (all: Variables) =>
        Object.fromEntries(
          Object.entries(all).map(([name, value]) => [name.toUpperCase().replaceAll('.', '_'), value]),
        )
      let [path, log, summary] = [programs, '', '']
      let result: StageEnd['result'] = 'Succeeded'
      for (const { bash, task, inputs = {}, name, env = {}, publish, download, artifact = '' } of steps) {
        if (publish !== undefined)
          cpSync(join(folder, publish), join(artifacts, artifact), { recursive: true })
        if (download !== undefined)
          cpSync(join(artifacts, artifact), join(workspace, artifact), { recursive: true })
        const script = bash ?? inputs['inlineScript']
        if (script === undefined) continue
        // A reference to a missing variable stays as it is.
        const mapped = Object.entries(env).map(([key, value]) => [
          key,
          value.replaceAll(/\$\(([\w.]+)\)/g, (macro, one: string) => secrets[one] ?? known[one] ?? macro),
        ])
        const ended = await runProgram('bash', ['--noprofile', '--norc', '-c', script], {
          cwd: folder,
          env: {
            ...gitEnvironment,
            TF_BUILD: 'True',
            PIPELINE_WORKSPACE: workspace,
            ...environmentOf({ ...system, ...known }),
            ...(task?.startsWith('AzureCLI@') === true && connection),
            ...Object.fromEntries(mapped),
            PATH: path,
          },
        })
        log += ended.stdout + ended.stderr
        for (const [, command, properties = '', value = ''] of ended.stdout.matchAll(
          /^##vso\[(\S+?)(?: (.*?))?\](.*)$/gm,
        )) {
          const [, variable = ''] = /variable=(\w+)/.exec(properties) ?? []
          if (command === 'task.prependpath') path = `${value}:${path}`
          if (command === 'task.uploadsummary') summary += readFileSync(value, 'utf8')
          if (command === 'task.complete' && properties.includes('SucceededWithIssues'))
            result = 'SucceededWithIssues'
          if (command !== 'task.setvariable') continue
          if (properties.includes('isOutput=true'))
            (outputs[stage] as { outputs: Record<string, string> }).outputs[
              `${job.job}.${name}.${variable}`
            ] = value
          else known = { ...known, [variable]: value }
        }
        if (ended.code !== 0) return { result: 'Failed', code: ended.code, log, summary }
      }
      return { result, code: 0, log, summary }
    }

    /** Reruns a stage, as a user does. */
    const again = (name: string) => runStage(stages.find(({ stage }) => stage === name) as Stage)
    for (const stage of stages)
      ends.set(
        stage.stage,
        isDue(stage) ? await runStage(stage) : { result: 'Skipped', code: 0, log: '', summary: '' },
      )
    return {
      again,
      end: (stage: string) => ends.get(stage),
      /** The results of the stages that ran. */
      results: Object.fromEntries(
        [...ends].flatMap(([stage, { result }]) => (result === 'Skipped' ? [] : [[stage, result]])),
      ),
      keeps: (path: string) => existsSync(join(artifacts, path)),
    }
  }
}
