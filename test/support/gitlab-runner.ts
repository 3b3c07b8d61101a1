import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout, gitEnvironment } from './git-repositories.js'
import { type GitlabJob, jobsOf, whenRuns } from './gitlab-pipeline.js'
import { runProgram } from './program.js'
import { installed, pathWith } from './program-folder.js'
import { temporaryFolder } from './temporary-folder.js'

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
      const script = [...job.before_script, ...job.script].join('\n')
      const words = ['-eo', 'pipefail', '-c', script]
      const { code, stdout, stderr } = await runProgram('bash', words, { cwd: folder, env })
      const { paths = [], reports = {} } = job.artifacts ?? {}
      for (const path of [...paths, ...Object.values(reports)])
        if (existsSync(join(folder, path))) {
          mkdirSync(join(kept, name), { recursive: true })
          cpSync(join(folder, path), artifact(name, path))
        }
      return { code, log: stdout + stderr }
    }
    return { due, run, kept: (name: string, path: string) => readFileSync(artifact(name, path), 'utf8') }
  }
}
