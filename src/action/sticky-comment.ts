import type { Result } from '../result.js'
import { askGitHub, type GitHubAnswer, type GitHubApi } from './github-api.js'

/** A comment that is made once, and changed by every later run. */
export interface StickyComment {
  /** `OWNER/NAME`. */
  readonly repository: string
  readonly pullRequest: number
  /** Whether an earlier run of the same step wrote this. */
  isOurs(body: string): boolean
  /** What it is to say, given what it said; undefined where that is nothing. */
  written(earlier: string | undefined): string | undefined
}

/** What became of a comment. */
export type Commented =
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

/** A pull request with more comments has other troubles. */
const mostPages = 100
const commentsPerPage = 100

/** Looks for the comment of an earlier run, and changes it or makes the first. */
export async function stick(api: GitHubApi, comment: StickyComment): Promise<Commented> {
  const issues = `/repos/${comment.repository}/issues`
  const found = await findEarlier(api, comment, issues)
  if (!found.ok) return found.error
  const body = comment.written(found.value?.body)
  if (body === undefined || body === found.value?.body) return { kind: 'left-out' }
  if (found.value === undefined) {
    const path = `${issues}/${comment.pullRequest}/comments`
    const made = await askGitHub(api, { method: 'POST', path, json: { body } })
    return made.status === 201 ? { kind: 'created' } : refused(made)
  }
  const path = `${issues}/comments/${found.value.id}`
  const changed = await askGitHub(api, { method: 'PATCH', path, json: { body } })
  return changed.status === 200 ? { kind: 'updated' } : refused(changed)
}

type Found = Result<Earlier | undefined, Commented>

async function findEarlier(api: GitHubApi, comment: StickyComment, issues: string): Promise<Found> {
  // A token may change the comments of others, too: one into which somebody copied a marker is left alone.
  const isOfPerson = /^(?:gh[pou]_|github_pat_)/.test(api.token)
  const person = isOfPerson ? await askGitHub(api, { method: 'GET', path: '/user' }) : undefined
  if (person !== undefined && person.status !== 200) return { ok: false, error: refused(person) }
  for (let page = 1; page <= mostPages; page += 1) {
    const path = `${issues}/${comment.pullRequest}/comments?per_page=${commentsPerPage}&page=${page}`
    const answer = await askGitHub(api, { method: 'GET', path })
    if (answer.status !== 200 || !Array.isArray(answer.body)) return { ok: false, error: refused(answer) }
    for (const value of answer.body) {
      const { id, body, user } = (value ?? {}) as Readonly<Record<string, unknown>>
      const isFromUs =
        person === undefined
          ? accountOf(user).type === 'Bot'
          : accountOf(user).id === accountOf(person.body).id
      if (typeof id === 'number' && typeof body === 'string' && isFromUs && comment.isOurs(body))
        return { ok: true, value: { id, body } }
    }
    if (answer.body.length < commentsPerPage) break
  }
  return { ok: true, value: undefined }
}

function accountOf(user: unknown): { readonly id?: unknown; readonly type?: unknown } {
  return user ?? {}
}

/** A limit has the same status as a token that may not write, and says so beside it. */
function refused({ status, body, header }: GitHubAnswer): Commented {
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
    problem: isLimit ? 'GitHub asks for fewer requests' : `GitHub answered ${status}`,
    mayPass: isLimit || status >= 500,
    ...(/^\d{1,6}$/.test(seconds) && { retryAfterSeconds: Number(seconds) }),
  }
}
