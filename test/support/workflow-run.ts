import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { gitEnvironment } from './git-repositories.js'
import { root } from './manifests.js'
import { temporaryFolder } from './temporary-folder.js'

interface Step {
  readonly name?: string
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}

export interface JobRun {
  readonly event: string
  readonly folder: string
  readonly run: string
  readonly sha?: string
  /** Values of expressions that depend on the run, such as `inputs.run`. */
  readonly values?: Readonly<Record<string, string>>
}

/**
 * Runs the steps of jobs with bash as a runner does, with stand-ins for npm and gh, in front of a folder in place of
 * GitHub. `landform` is the program, or a script that plays it. An expression that is not known here fails.
 */
export async function workflowRunner(text: string, landform?: string) {
  const { env, jobs } = parse(text) as {
    readonly env: Readonly<Record<string, string>>
    readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
  }
  const hub = await temporaryFolder()
  const programs = join(hub, 'programs')
  mkdirSync(programs)
  const program = (name: string, script: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const node = (file: string) => `exec '${process.execPath}' '${join(root, file)}' "$@"`
  program('gh', node('test/ci/programs/gh.mjs'))
  program('npm', 'test "$*" = "ci --ignore-scripts"')
  program('landform', landform ?? node('dist/bin/landform.cjs'))

  const runJob = async (name: string, { event, folder, run, sha = 'abc', values = {} }: JobRun) => {
    const file = (kind: string) => join(hub, `${name}-${kind}`)
    const outputs: Record<string, string> = {}
    const known: Record<string, string> = {
      'github.token': 'ghs_1',
      'github.event.pull_request.number': '7',
      ...values,
    }
    const resolved = (expression: string): string => {
      const [, step] = /^steps\.(\w+)\.outputs\./.exec(expression) ?? []
      const value =
        step === undefined ? known[expression] : (outputs[expression.replace('.outputs', '')] ?? '')
      if (value === undefined) throw new Error(`no value for ${expression}`)
      return value
    }
    const filled = (line: string) =>
      line.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => resolved(expression))
    let exitCode = 0
    let log = ''
    const isDue = (condition = ''): boolean => {
      const bare = condition.replaceAll(/\$\{\{ | \}\}/g, '')
      const parts = bare.split(' || ').map(either => either.split(' && '))
      const always = bare.includes('cancelled()')
      if (exitCode !== 0 && !always) return false
      return parts.some(all => all.every(part => part === '' || isTrue(part)))
    }
    const isTrue = (part: string): boolean => {
      if (part === '!cancelled()') return true
      const [, pattern] = /^hashFiles\('(.*)'\) != ''$/.exec(part) ?? []
      if (pattern !== undefined) return existsSync(join(folder, pattern))
      const [, expression = '', operator, value] = /^([\w.-]+) ([!=]=) '(.*)'$/.exec(part) ?? []
      return (resolved(expression) === value) === (operator === '==')
    }
    for (const step of jobs[name]?.steps ?? []) {
      if (!isDue(step.if)) continue
      if (step.uses?.startsWith('actions/upload-artifact@') === true) {
        const path = step.with?.['path'] ?? ''
        const artifact = join(hub, 'artifacts', run, step.with?.['name'] ?? '')
        mkdirSync(artifact, { recursive: true })
        copyFileSync(join(folder, path), join(artifact, basename(path)))
      }
      if (step.run === undefined) continue
      writeFileSync(file('output'), '')
      const given = Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)])
      const variables = {
        ...gitEnvironment,
        PATH: `${programs}:${process.env['PATH']}`,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: event,
        GITHUB_OUTPUT: file('output'),
        GITHUB_PATH: file('path'),
        GITHUB_REPOSITORY: 'acme/sites',
        GITHUB_RUN_ID: run,
        GITHUB_SHA: sha,
        GITHUB_STEP_SUMMARY: file('summary'),
        FAKE_HUB: hub,
        LANDFORM_CODE_CACHE: 'off',
        ...env,
        ...Object.fromEntries(given),
      }
      const script = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run]
      await new Promise<void>(resolve => {
        execFile('bash', script, { cwd: folder, env: variables }, (error, stdout, stderr) => {
          if (error !== null) exitCode = Number(error.code)
          log += stdout + stderr
          resolve()
        })
      })
      for (const line of readFileSync(file('output'), 'utf8').split('\n')) {
        const [key = '', value = ''] = line.split('=')
        outputs[`steps.${step.id}.${key}`] = value
      }
    }
    const summary = existsSync(file('summary')) ? readFileSync(file('summary'), 'utf8') : ''
    return { exitCode, log, summary, output: (path: string) => outputs[`steps.${path}`] }
  }
  return {
    runJob,
    file: (name: string) => join(hub, name),
    kept: (name: string) =>
      existsSync(join(hub, name)) ? JSON.parse(readFileSync(join(hub, name), 'utf8')) : [],
    keep: (name: string, value: unknown) => {
      mkdirSync(dirname(join(hub, name)), { recursive: true })
      writeFileSync(join(hub, name), JSON.stringify(value))
    },
  }
}
