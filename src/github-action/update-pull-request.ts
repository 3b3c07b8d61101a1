import { parseApiUrl } from './github-api.js'
import { readPullRequest } from './pull-request.js'
import { buildReportComment, type StepReport } from './report-comment.js'
import { writeCommentWithRetries } from './retry-comment.js'
import { formatAnnotation } from './workflow-commands.js'

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
