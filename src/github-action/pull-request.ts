import { existsSync, readFileSync } from 'node:fs'

/** The pull request of a run. */
export interface PullRequest {
  readonly number: number
  readonly head: string
}

/** Reads the pull request from the event of a run; undefined if it has none. */
export function readPullRequest(environment: NodeJS.ProcessEnv): PullRequest | undefined {
  const file = environment['GITHUB_EVENT_PATH']
  if (file === undefined || !existsSync(file)) return undefined
  const event = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly pull_request?: { readonly number?: unknown; readonly head?: { readonly sha?: unknown } }
  }
  const { number, head } = event.pull_request ?? {}
  return typeof number === 'number' ? { number, head: `${head?.sha ?? ''}` } : undefined
}
