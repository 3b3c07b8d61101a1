import { setTimeout } from 'node:timers/promises'
import type { GitHubApi } from './github-api.js'
import { type CommentOutcome, type StickyComment, writeComment } from './sticky-comment.js'

const maxTries = 4
const longestWaitSeconds = 60

/**
 * Writes a comment, with retries while GitHub is unavailable. Each try searches again, because a failed one may have
 * created the comment all the same.
 */
export async function writeCommentWithRetries(
  api: GitHubApi,
  comment: StickyComment,
): Promise<CommentOutcome> {
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
