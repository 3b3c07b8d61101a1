import { apiUrl } from './github-api.js'
import { stickPatiently } from './patient-comment.js'
import { pullRequestOf } from './pull-request.js'
import { type Report, reportComment } from './report-comment.js'
import { annotation } from './workflow-commands.js'

/**
 * Keeps the comment of a step in its pull request, and returns the text for the log. The comment is optional, so no error
 * here fails the step.
 */
export async function tellPullRequest(
  environment: NodeJS.ProcessEnv,
  report: Omit<Report, 'head' | 'run'>,
): Promise<string> {
  const pullRequest = pullRequestOf(environment)
  if (pullRequest === undefined) return annotation('notice', 'no comment: this run has no pull request')
  const { GITHUB_REPOSITORY: repository = '', GITHUB_SERVER_URL: server, GITHUB_RUN_ID: id } = environment
  const url = apiUrl(environment['GITHUB_API_URL'] ?? 'https://api.github.com')
  if (url === undefined) return annotation('warning', 'no comment: GITHUB_API_URL is not an https address')
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    return annotation('warning', 'no comment: GITHUB_REPOSITORY is not OWNER/NAME')
  const { token } = report.inputs
  if (token === '') return annotation('notice', 'no comment: no token was given')
  const run = `${server}/${repository}/actions/runs/${id}`
  const texts = reportComment({ ...report, run, head: pullRequest.head })
  const done = await stickPatiently(
    { url, token, environment },
    { repository, pullRequest: pullRequest.number, ...texts },
  )
  switch (done.kind) {
    case 'forbidden':
      return annotation(
        'notice',
        'no comment: the token may not write here, as in pull requests from forks; the summary has the report',
      )
    case 'failed':
      return annotation('warning', `no comment: ${done.problem}; the summary has the report`)
    case 'left-out':
      return ''
    case 'created':
    case 'updated':
      return `comment ${done.kind}\n`
    default:
      return done satisfies never
  }
}
