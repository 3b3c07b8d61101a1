import { existsSync, realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { type CommentProblem, type KeptComment, keepComment } from '../../comment/keep-comment.js'
import { findReviewRequest, type NoRequest, type ReviewRequest } from '../../comment/review-request.js'
import { hasChanges, listBlockingEdits } from '../../plan/plan.js'
import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, worstExitCode } from '../../report/exit-code.js'
import { formatCodeSpan, formatMarker } from '../../report/markdown.js'
import { formatPlanMarkdown } from '../../report/plan-markdown.js'
import type { ArgumentsOf } from '../command.js'
import type { comment as declaration } from '../declarations/sites.js'
import type { Host } from '../host.js'
import { readPlanFile } from '../plan/saved-plan-file.js'
import { type Failure, sayFailure } from '../terminal/output.js'

/**
 * Keeps one comment for each manifest in the pull or merge request of this CI job. A manifest that was named and has no plan gets
 * no new comment; the earlier one is marked as outdated, because it shows the plan of another commit.
 */
export async function comment(
  { plans, manifest: expected, color }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const found = findReviewRequest(host.environment)
  if (!found.ok) {
    const { error } = found
    if (error.kind !== 'no-request') return sayFailure(host, describeNoRequest(error), color)
    host.stdout.print(`No comment: this job has no ${requestNames[error.product]}.\n`)
    return exitCodes.done
  }
  const { value: request } = found
  const read = plans.map(readPlanFile)
  const codes: ExitCode[] = read.map(one => (one.ok ? exitCodes.done : sayFailure(host, one.error, color)))
  const root = host.environment['GITHUB_WORKSPACE'] || host.environment['CI_PROJECT_DIR'] || '.'
  const comments = new Map<string, (marker: string) => KeptComment>()
  for (const manifest of expected) comments.set(toKey(root, manifest), outdate(manifest, request))
  for (const one of read)
    if (one.ok) comments.set(toKey(root, one.value.plan.manifest), show(one.value, request))
  for (const [key, build] of comments) {
    const kept = await keepComment(request, build(formatMarker('manifest', key)), host)
    if (kept.ok) host.stdout.print(`Comment ${kept.value} in ${display(request.name)}: ${display(key)}\n`)
    else codes.push(sayFailure(host, describeProblem(kept.error, request), color))
  }
  return worstExitCode(codes)
}

/** Names a manifest by its path in the repository: the folder of a checkout differs between runners. */
function toKey(root: string, manifest: string): string {
  return relative(existsSync(root) ? realpathSync(root) : root, resolve(manifest)).replaceAll(sep, '/')
}

/** Shows a plan. One without changes replaces an earlier comment, and creates none. */
function show({ plan }: SavedPlan, request: ReviewRequest) {
  const isNews = hasChanges(plan) || listBlockingEdits(plan).length > 0
  return (marker: string): KeptComment => ({
    marker,
    build: hasEarlier =>
      isNews || hasEarlier ? finish(formatPlanMarkdown(plan), request, marker) : undefined,
  })
}

function outdate(manifest: string, request: ReviewRequest) {
  const text = `### No plan for ${formatCodeSpan(manifest)}\n\nThe earlier plan is outdated: no plan was made for this commit. The run has the error.`
  return (marker: string): KeptComment => ({
    marker,
    build: hasEarlier => (hasEarlier ? finish(text, request, marker) : undefined),
  })
}

/** Adds the commit, the run and the marker. The limit of a plan leaves room for them. */
function finish(markdown: string, { commit, run }: ReviewRequest, marker: string): string {
  return `${markdown.trimEnd()}\n\n<sub>Commit ${formatCodeSpan(commit.slice(0, 12))}, [run](${run})</sub>\n\n${marker}\n`
}

const requestNames = { GitHub: 'pull request', GitLab: 'merge request' } as const

function describeNoRequest(error: Exclude<NoRequest, { readonly kind: 'no-request' }>): Failure {
  switch (error.kind) {
    case 'no-job':
      return {
        exitCode: exitCodes.refused,
        message: 'no pull or merge request: this is not a job of GitHub Actions or GitLab CI/CD',
        next: 'write another comment from: landform show plan.json --format markdown',
      }
    case 'no-token':
      return {
        exitCode: exitCodes.missing,
        message: `no comment was written: ${error.variable} is not set`,
        next: `set ${error.variable} for this job to a token that may write comments`,
      }
    case 'invalid-variable':
      return {
        exitCode: exitCodes.refused,
        message: `no comment was written: ${error.variable} is not ${error.expected}`,
      }
    default:
      return error satisfies never
  }
}

function describeProblem(problem: CommentProblem, { product, name, right }: ReviewRequest): Failure {
  const say = (exitCode: ExitCode, why: string, next?: string): Failure => ({
    exitCode,
    message: `no comment was written in ${name}: ${why}`,
    ...(next !== undefined && { next }),
  })
  switch (problem.kind) {
    case 'unusable-proxy':
      return say(exitCodes.refused, `the proxy in ${problem.variable} is not the URL of a proxy`)
    case 'unreachable':
      return say(exitCodes.unreachable, `could not reach ${product} (${problem.reason})`)
    case 'untrusted':
      return say(
        exitCodes.permission,
        `could not verify the TLS connection to ${product} (${problem.reason})`,
        'NODE_EXTRA_CA_CERTS names the file with your own authorities',
      )
    case 'forbidden':
      return say(exitCodes.permission, `the token may not write there (HTTP ${problem.status})`, right)
    case 'limited':
      return say(exitCodes.trouble, `${product} limits the rate of requests`)
    case 'unavailable':
      return say(exitCodes.trouble, `${product} responded with HTTP ${problem.status}`)
    case 'rejected':
      return say(exitCodes.serviceFailed, `${product} responded with HTTP ${problem.status}`)
    default:
      return problem satisfies never
  }
}
