import { readFileSync } from 'node:fs'
import { isLoopback } from '../manifest/site-url.js'
import type { Result } from '../result.js'

/** The pull or merge request of a CI job, and where the API of the product keeps its comments. */
export interface ReviewRequest {
  readonly product: 'GitHub' | 'GitLab'
  /** The request as its product writes it: `acme/sites#7`, `acme/sites!7`. */
  readonly name: string
  readonly api: string
  /** Sent in request headers, and used nowhere else. */
  readonly token: string
  readonly accept: string
  /** The path of the list of comments, below the API. */
  readonly comments: string
  /** The request that replaces a comment. */
  readonly edit: { readonly method: 'PATCH' | 'PUT'; readonly path: string }
  /** False for the token of a workflow, which may not read its own account. */
  readonly hasAccount: boolean
  /** The commit and the address of the run, for readers of a comment. */
  readonly commit: string
  readonly run: string
  /** The permission that the token needs. */
  readonly right: string
}

/** A reason why a run cannot comment. */
export type NoRequest =
  | { readonly kind: 'no-job' }
  | { readonly kind: 'no-request'; readonly product: ReviewRequest['product'] }
  | { readonly kind: 'no-token'; readonly variable: string }
  | { readonly kind: 'invalid-variable'; readonly variable: string; readonly expected: string }

type Environment = Readonly<Record<string, string | undefined>>

type Found = Result<ReviewRequest, NoRequest>

/** Finds the pull or merge request of this job in the variables of its CI. */
export function findReviewRequest(environment: Environment): Found {
  if (environment['GITHUB_ACTIONS'] === 'true') return findPullRequest(environment)
  if (environment['GITLAB_CI'] === 'true') return findMergeRequest(environment)
  return { ok: false, error: { kind: 'no-job' } }
}

/** Reads the event of GitHub: https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request. */
function findPullRequest(environment: Environment): Found {
  const { GITHUB_REPOSITORY: repository = '', GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = environment
  const pullRequest = readPullRequest(environment['GITHUB_EVENT_PATH'])
  if (pullRequest === undefined) return { ok: false, error: { kind: 'no-request', product: 'GitHub' } }
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) return reject('GITHUB_REPOSITORY', 'OWNER/NAME')
  const { number, commit } = pullRequest
  const token = environment['GH_TOKEN']?.trim() || environment['GITHUB_TOKEN']?.trim() || ''
  return checkAccess(['GITHUB_API_URL', 'GH_TOKEN'], {
    product: 'GitHub',
    name: `${repository}#${number}`,
    api: environment['GITHUB_API_URL'] ?? 'https://api.github.com',
    token,
    accept: 'application/vnd.github+json',
    comments: `/repos/${repository}/issues/${number}/comments`,
    edit: { method: 'PATCH', path: `/repos/${repository}/issues/comments` },
    hasAccount: /^(?:gh[pou]_|github_pat_)/.test(token),
    commit,
    run: `${server}/${repository}/actions/runs/${run}`,
    right: 'the job needs `pull-requests: write`; in pull requests from forks its token can only read',
  })
}

function readPullRequest(
  file: string | undefined,
): { readonly number: number; readonly commit: string } | undefined {
  if (file === undefined || file === '') return undefined
  try {
    const { pull_request: found } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly pull_request?: { readonly number?: unknown; readonly head?: { readonly sha?: unknown } }
    }
    const { number, head } = found ?? {}
    return typeof number === 'number' ? { number, commit: `${head?.sha}` } : undefined
  } catch {
    return undefined
  }
}

/** Reads the variables of GitLab: https://docs.gitlab.com/ci/variables/predefined_variables/. A job token cannot comment. */
function findMergeRequest(environment: Environment): Found {
  const { CI_MERGE_REQUEST_IID: number, CI_MERGE_REQUEST_PROJECT_ID: project = '' } = environment
  if (number === undefined || number === '')
    return { ok: false, error: { kind: 'no-request', product: 'GitLab' } }
  if (!/^\d+$/.test(number)) return reject('CI_MERGE_REQUEST_IID', 'a number')
  if (!/^\d+$/.test(project)) return reject('CI_MERGE_REQUEST_PROJECT_ID', 'a number')
  const notes = `/projects/${project}/merge_requests/${number}/notes`
  return checkAccess(['CI_API_V4_URL', 'GITLAB_TOKEN'], {
    product: 'GitLab',
    name: `${environment['CI_MERGE_REQUEST_PROJECT_PATH'] ?? ''}!${number}`,
    api: environment['CI_API_V4_URL'] ?? '',
    token: environment['GITLAB_TOKEN']?.trim() ?? '',
    accept: 'application/json',
    comments: notes,
    edit: { method: 'PUT', path: notes },
    hasAccount: true,
    // In a pipeline for merged results CI_COMMIT_SHA is a commit that nobody pushed.
    commit: environment['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || `${environment['CI_COMMIT_SHA']}`,
    run: `${environment['CI_JOB_URL']}`,
    right: 'a project access token needs the scope `api` and the role Reporter',
  })
}

/** Rejects an API address without encryption, and a job without a token. */
function checkAccess([address, secret]: readonly [string, string], request: ReviewRequest): Found {
  const url = URL.canParse(request.api) ? new URL(request.api) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe) return reject(address, 'an https address')
  if (request.token === '') return { ok: false, error: { kind: 'no-token', variable: secret } }
  return { ok: true, value: request }
}

function reject(variable: string, expected: string): Found {
  return { ok: false, error: { kind: 'invalid-variable', variable, expected } }
}
