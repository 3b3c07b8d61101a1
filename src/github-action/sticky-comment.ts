import type { Result } from '../result.js'
import { type GitHubApi, type GitHubResponse, requestGitHub } from './github-api.js'

/** A comment that is created once, and updated by every later run. */
export interface StickyComment {
  /** `OWNER/NAME`. */
  readonly repository: string
  readonly pullRequest: number
  /** True if an earlier run of the same step wrote this body. */
  isOurs(body: string): boolean
  /** Builds the new body from the earlier one; undefined for no comment. */
  written(earlier: string | undefined): string | undefined
}

/** The outcome of writing a comment. */
export type CommentOutcome =
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
export async function writeComment(api: GitHubApi, comment: StickyComment): Promise<CommentOutcome> {
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
  // A token can change the comments of others, too: one with a copied marker is ignored.
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
