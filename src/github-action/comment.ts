import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Result } from '../result.js'
import {
  formatAnnotation,
  type GitHubApi,
  type GitHubResponse,
  parseApiUrl,
  requestGitHub,
} from './github.js'
import type { Inputs } from './inputs.js'

/**
 * Keeps the comment of a step in its pull request, and returns the text for the log. The comment is optional, so no error
 * here fails the step.
 */
export async function updatePullRequest(
  environment: NodeJS.ProcessEnv,
  report: Omit<StepReport, 'head' | 'run'>,
): Promise<string> {
  const pullRequest = readPullRequest(environment)
  if (pullRequest === undefined) return formatAnnotation('notice', 'no comment: this run has no pull request')
  const { GITHUB_REPOSITORY: repository = '', GITHUB_SERVER_URL: server, GITHUB_RUN_ID: id } = environment
  const url = parseApiUrl(environment['GITHUB_API_URL'] ?? 'https://api.github.com')
  if (url === undefined)
    return formatAnnotation('warning', 'no comment: GITHUB_API_URL is not an https address')
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    return formatAnnotation('warning', 'no comment: GITHUB_REPOSITORY is not OWNER/NAME')
  const { token } = report.inputs
  if (token === '') return formatAnnotation('notice', 'no comment: no token was given')
  const run = `${server}/${repository}/actions/runs/${id}`
  const texts = buildReportComment({ ...report, run, head: pullRequest.head })
  const done = await writeCommentWithRetries(
    { url, token, environment },
    { repository, pullRequest: pullRequest.number, ...texts },
  )
  switch (done.kind) {
    case 'forbidden':
      return formatAnnotation(
        'notice',
        'no comment: the token may not write here, as in pull requests from forks; the summary has the report',
      )
    case 'failed':
      return formatAnnotation('warning', `no comment: ${done.problem}; the summary has the report`)
    case 'left-out':
      return ''
    case 'created':
    case 'updated':
      return `comment ${done.kind}\n`
    default:
      return done satisfies never
  }
}

/** The pull request of a run. */
interface PullRequest {
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

/** The result of a step for a pull request. */
interface StepReport {
  readonly inputs: Inputs
  /** The output of the program, with a hidden first line that is the same for every report of one site. */
  readonly markdown: string | undefined
  readonly exitCode: number
  /** False if the report says that there is nothing to do. */
  readonly isNews: boolean
  /** Address of the run. */
  readonly run: string
  /** Commit of the pull request. */
  readonly head: string
}

/**
 * Builds the texts of a comment. Without a new report an existing comment is replaced by a notice, so that an earlier
 * plan is not mistaken for the plan of a newer commit.
 */
function buildReportComment(report: StepReport): Pick<StickyComment, 'isOurs' | 'written'> {
  const { inputs, markdown, exitCode, isNews, run, head } = report
  const step = formatStepMarker(inputs)
  const seen = `<sub>Commit ${head.slice(0, 12)}, [run](${run})</sub>`
  const first = markdown === undefined ? undefined : firstLine(markdown)
  return {
    isOurs: body =>
      first === undefined
        ? firstLine(body).startsWith(`<!-- landform-${inputs.command}: `) && body.trimEnd().endsWith(step)
        : firstLine(body) === first,
    written(earlier) {
      if (markdown !== undefined)
        return isNews || earlier !== undefined ? `${markdown.trimEnd()}\n\n${seen}\n\n${step}\n` : undefined
      if (earlier === undefined) return undefined
      const failed = `### No ${inputs.command}: exit code ${exitCode}\n\nThe earlier report is outdated. See the run for the error.`
      return `${firstLine(earlier)}\n\n${failed}\n\n${seen}\n\n${step}\n`
    },
  }
}

/** Identifies the step within its repository, so that a failed step finds its own comment. */
function formatStepMarker({ command, files, args, workingDirectory }: Inputs): string {
  const digest = createHash('sha256').update(JSON.stringify([command, files, args, workingDirectory]))
  return `<!-- landform-step: ${digest.digest('hex').slice(0, 16)} -->`
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

const maxTries = 4
const longestWaitSeconds = 60

/**
 * Writes a comment, with retries while GitHub is unavailable. Each try searches again, because a failed one may have
 * created the comment all the same.
 */
async function writeCommentWithRetries(api: GitHubApi, comment: StickyComment): Promise<CommentOutcome> {
  for (let tries = 1; ; tries += 1) {
    const done = await writeComment(api, comment).catch(describeNoResponse)
    if (done.kind !== 'failed' || !done.mayPass || tries === maxTries) return done
    const seconds = done.retryAfterSeconds ?? 2 ** tries
    if (seconds > longestWaitSeconds) return done
    await setTimeout(seconds * 1000)
  }
}

function describeNoResponse({ code, name }: NodeJS.ErrnoException): CommentOutcome {
  return { kind: 'failed', problem: `could not reach GitHub (${code ?? name})`, mayPass: true }
}

/** A comment that is created once, and updated by every later run. */
interface StickyComment {
  /** `OWNER/NAME`. */
  readonly repository: string
  readonly pullRequest: number
  /** True if an earlier run of the same step wrote this body. */
  isOurs(body: string): boolean
  /** Builds the new body from the earlier one; undefined for no comment. */
  written(earlier: string | undefined): string | undefined
}

/** The outcome of writing a comment. */
type CommentOutcome =
  | { readonly kind: 'created' | 'updated' | 'left-out' | 'forbidden' }
  | {
      readonly kind: 'failed'
      readonly problem: string
      readonly mayPass: boolean
      readonly retryAfterSeconds?: number
    }

interface Earlier {
  readonly id: number
  readonly body: string
}

/** Comments beyond these pages are not searched. */
const maxPages = 100
const commentsPerPage = 100

/** Finds the comment of an earlier run and updates it, or creates the first one. */
async function writeComment(api: GitHubApi, comment: StickyComment): Promise<CommentOutcome> {
  const issues = `/repos/${comment.repository}/issues`
  const found = await findEarlier(api, comment, issues)
  if (!found.ok) return found.error
  const body = comment.written(found.value?.body)
  if (body === undefined || body === found.value?.body) return { kind: 'left-out' }
  if (found.value === undefined) {
    const path = `${issues}/${comment.pullRequest}/comments`
    const made = await requestGitHub(api, { method: 'POST', path, json: { body } })
    return made.status === 201 ? { kind: 'created' } : classifyError(made)
  }
  const path = `${issues}/comments/${found.value.id}`
  const changed = await requestGitHub(api, { method: 'PATCH', path, json: { body } })
  return changed.status === 200 ? { kind: 'updated' } : classifyError(changed)
}

type FoundComment = Result<Earlier | undefined, CommentOutcome>

async function findEarlier(api: GitHubApi, comment: StickyComment, issues: string): Promise<FoundComment> {
  // A token can also change the comments of others: one with a copied marker is ignored.
  const isOfPerson = /^(?:gh[pou]_|github_pat_)/.test(api.token)
  const person = isOfPerson ? await requestGitHub(api, { method: 'GET', path: '/user' }) : undefined
  if (person !== undefined && person.status !== 200) return { ok: false, error: classifyError(person) }
  for (let page = 1; page <= maxPages; page += 1) {
    const path = `${issues}/${comment.pullRequest}/comments?per_page=${commentsPerPage}&page=${page}`
    const answer = await requestGitHub(api, { method: 'GET', path })
    if (answer.status !== 200 || !Array.isArray(answer.body))
      return { ok: false, error: classifyError(answer) }
    for (const value of answer.body) {
      const { id, body, user } = (value ?? {}) as Readonly<Record<string, unknown>>
      const isFromUs =
        person === undefined
          ? readAccount(user).type === 'Bot'
          : readAccount(user).id === readAccount(person.body).id
      if (typeof id === 'number' && typeof body === 'string' && isFromUs && comment.isOurs(body))
        return { ok: true, value: { id, body } }
    }
    if (answer.body.length < commentsPerPage) break
  }
  return { ok: true, value: undefined }
}

function readAccount(user: unknown): { readonly id?: unknown; readonly type?: unknown } {
  return user ?? {}
}

/** Classifies an error. A rate limit has the same status as a token without permission; headers distinguish them. */
function classifyError({ status, body, header }: GitHubResponse): CommentOutcome {
  const message = `${(body as { readonly message?: unknown } | null | undefined)?.message ?? ''}`
  const isLimit =
    status === 429 ||
    (status === 403 &&
      (header('retry-after') !== undefined ||
        header('x-ratelimit-remaining') === '0' ||
        /rate limit/i.test(message)))
  if (!isLimit && [401, 403, 404].includes(status)) return { kind: 'forbidden' }
  const seconds = header('retry-after') ?? (isLimit ? '60' : '')
  return {
    kind: 'failed',
    problem: isLimit ? 'GitHub limits the rate of requests' : `GitHub responded with HTTP ${status}`,
    mayPass: isLimit || status >= 500,
    ...(/^\d{1,6}$/.test(seconds) && { retryAfterSeconds: Number(seconds) }),
  }
}
