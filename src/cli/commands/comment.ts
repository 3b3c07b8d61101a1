import { existsSync, realpathSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import { type CommentProblem, keepComment } from '../../comment/keep-comment.js'
import { findReviewRequest, type NoRequest, type ReviewRequest } from '../../comment/review-request.js'
import { needsReview, type Plan } from '../../plan/plan.js'
import { policyFileNames } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError, worstExitCode } from '../../report/exit-code.js'
import { formatCodeSpan, formatMarker } from '../../report/markdown.js'
import { formatPlanMarkdown, formatPlanSection } from '../../report/plan-markdown.js'
import { describeDecision, nameAdopt } from '../../report/plan-words.js'
import { formatSitesMarkdown, groupPlan, planTable, type SiteResult } from '../../report/sites.js'
import { checkFiles } from '../check/check-files.js'
import { classifyPath, expandFiles } from '../check/expand-files.js'
import { type ArgumentsOf, declare, list, pair } from '../command.js'
import { commonOptions } from '../command-options.js'
import type { Host } from '../host.js'
import { listPlanFiles, readPlanFile } from '../plan/saved-plan-file.js'
import { type Failure, sayFailure } from '../terminal/output.js'

const declaration = declare({
  name: 'comment',
  describe: 'Write or update one comment about these sites in a pull or merge request',
  touches: 'ci',
  arguments: [
    {
      name: 'plans',
      many: true,
      optional: true,
      describe:
        'Plans that landform plan --out wrote, or their folder; without any, say that nothing changes',
    },
  ],
  options: {
    manifest: list('PATH', 'Manifest or folder; a site without a plan is marked as outdated (repeatable)'),
    ...commonOptions,
  },
  examples: [
    ['comment plan.json --manifest site.yaml', 'after plan, whether it succeeded or not'],
    ['comment plans --manifest sites', 'the plans of all sites in a folder, in one comment'],
    ['comment --manifest sites', 'after a commit that changes no file of these sites'],
  ],
})

/** A site, with its plan if one was made. */
interface SitePlan extends Pick<SiteResult, 'site' | 'file' | 'url'> {
  readonly plan?: Plan
}

/**
 * Creates or replaces the one comment about these sites in the pull or merge request of this CI job. It also names each
 * expected site without a plan, because an earlier comment may show the plan of another commit.
 */
async function comment(
  { plans, manifest: expected, color }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  if (plans.length === 0 && expected.length === 0)
    throw new UsageError('name a plan, or a manifest with --manifest')
  const found = findReviewRequest(host.environment)
  if (!found.ok) {
    const { error } = found
    if (error.kind !== 'no-request') return sayFailure(host, describeNoRequest(error), color)
    const kind = error.product === 'GitHub' ? 'pull request' : 'merge request'
    host.stdout.print(`No comment: this job has no ${kind}.\n`)
    return exitCodes.done
  }
  const { value: request } = found
  const read = (await Promise.all(plans.map(listPlanFiles))).flat().map(readPlanFile)
  const codes: ExitCode[] = read.map(one => (one.ok ? exitCodes.done : sayFailure(host, one.error, color)))
  const root = host.environment['GITHUB_WORKSPACE'] || host.environment['CI_PROJECT_DIR'] || '.'
  const sites = new Map<string, SitePlan>()
  for (const file of await listManifests(expected, host))
    sites.set(toKey(root, file), { site: file, file, url: null })
  for (const { plan } of read.flatMap(one => (one.ok ? [one.value] : [])))
    sites.set(toKey(root, plan.manifest), { site: plan.name, file: plan.manifest, url: plan.url, plan })
  if (sites.size === 0) return worstExitCode(codes)
  const key = findCommonPath([...expected.map(word => toKey(root, withoutPattern(word))), ...sites.keys()])
  const rows = [...sites].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const isUnchanged = plans.length === 0
  const marker = formatMarker('manifest', key)
  const isNews = rows.some(({ plan }) => plan !== undefined && needsReview(plan))
  // Without changes, an earlier comment is replaced, but none is created.
  const build = (hasEarlier: boolean) =>
    isNews || hasEarlier ? formatComment(formatSites(rows, { key, isUnchanged }), request, marker) : undefined
  const kept = await keepComment(request, { marker, build }, host)
  if (kept.ok) host.stdout.print(`Comment ${kept.value} in ${display(request.name)}: ${display(key)}\n`)
  else codes.push(sayFailure(host, describeProblem(kept.error, request), color))
  return worstExitCode(codes)
}

/** Lists the manifests that should have a plan. A folder or pattern that cannot be expanded is listed itself. */
async function listManifests(words: readonly string[], host: Host): Promise<readonly string[]> {
  const options = { versions: [], checkSecrets: false, stdinName: undefined, policies: [] }
  const lists = words.map(async word => {
    const { candidates, problem } = await expandFiles([word])
    if (problem !== undefined || candidates.some(({ how }) => how === 'named')) return [word]
    const checked = await checkFiles(candidates, host, options)
    if (!checked.ok) return [word]
    const isPolicy = (file: string) => policyFileNames.some(name => name === basename(file))
    return checked.value.files.map(({ file }) => file).filter(file => !isPolicy(file))
  })
  return (await Promise.all(lists)).flat()
}

/** Returns the path of a file or folder in the repository, because the folder of a checkout differs between runners. */
function toKey(root: string, path: string): string {
  return relative(existsSync(root) ? realpathSync(root) : root, resolve(path)).replaceAll(sep, '/') || '.'
}

/** Returns the folder of a pattern, or any other word unchanged. */
function withoutPattern(word: string): string {
  return classifyPath(word) === 'none' ? word.replace(/[^/]*[*?[{].*$/s, '') : word
}

/** Finds the path that contains all others, so that a site added to a folder does not change the marker of the comment. */
function findCommonPath([first = '', ...others]: readonly string[]): string {
  const segments = first.split('/')
  const differing = segments.findIndex((segment, at) => others.some(one => one.split('/')[at] !== segment))
  return (differing === -1 ? segments : segments.slice(0, differing)).join('/') || '.'
}

/** Formats the plans of sites. `isUnchanged` is true if none was made because the commit changes no file of the sites. */
function formatSites(
  sites: readonly SitePlan[],
  { key, isUnchanged }: { readonly key: string; readonly isUnchanged: boolean },
): string {
  const [first, ...others] = sites
  const only = others.length === 0 ? first : undefined
  // A single site is named by its file, and several by their folder.
  const name = formatCodeSpan(only?.file ?? key)
  if (isUnchanged)
    return `### No changes to ${name}\n\nThe earlier plan is outdated: this commit changes no file that a plan depends on.`
  if (sites.every(({ plan }) => plan === undefined))
    return `### No plan for ${name}\n\nThe earlier plan is outdated: no plan was made for this commit. See the run for the error.`
  return only?.plan !== undefined
    ? formatPlanMarkdown(only.plan, { adopt: nameAdopt(only.plan) })
    : formatSitesMarkdown(sites.map(toResult), planTable)
}

function toResult({ plan, ...named }: SitePlan): SiteResult {
  const { done: exitCode } = exitCodes
  if (plan === undefined)
    return { ...named, exitCode, group: 'without a plan', summary: 'no plan; see the run for the error' }
  return {
    ...named,
    exitCode,
    group: groupPlan(plan),
    summary: describeDecision(plan),
    ...(needsReview(plan) && { section: () => formatPlanSection(plan, { adopt: nameAdopt(plan) }) }),
  }
}

/** Adds the commit, the run and the marker. The limit of a plan leaves room for them. */
function formatComment(markdown: string, { commit, run }: ReviewRequest, marker: string): string {
  return `${markdown.trimEnd()}\n\n<sub>Commit ${formatCodeSpan(commit.slice(0, 12))}, [run](${run})</sub>\n\n${marker}\n`
}

function describeNoRequest(error: Exclude<NoRequest, { readonly kind: 'no-request' }>): Failure {
  switch (error.kind) {
    case 'no-job':
      return {
        exitCode: exitCodes.refused,
        message: 'no pull or merge request: this is not a job of GitHub Actions or GitLab CI/CD',
        next: ['for a comment of your own, `landform show plan.json --format markdown` prints the text'],
      }
    case 'no-token':
      return {
        exitCode: exitCodes.missing,
        message: `no comment was written: ${error.variable} is not set`,
        next: [`set ${error.variable} for this job to a token that may write comments`],
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
    ...(next !== undefined && { next: [next] }),
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
        'set `NODE_EXTRA_CA_CERTS` to the file with the certificate of your authority',
      )
    case 'forbidden':
      return say(
        exitCodes.permission,
        `the token has no permission to write there (HTTP ${problem.status})`,
        right,
      )
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

export const command = pair(declaration, comment)
