import { shellWord } from 'landform/cli'
import { mayBeOurs, type Submission } from 'landform/state'
import type { Run } from '../model/run.js'
import type { NextCommand } from '../model/site-view.js'
import { buildCommands, buildResumeCommand } from '../workflow/next-steps.js'

/**
 * Returns the next commands for a run that waits for a person. They are derived from the submission and the state, and
 * never from a message, which may repeat text of the service.
 */
export function buildNextCommands(run: Run, submission?: Submission): readonly NextCommand[] {
  const { plan } = buildCommands(run)
  const resume = (why: string): NextCommand => ({ command: buildResumeCommand(run), why })
  switch (run.state) {
    case 'ambiguous':
      return buildAmbiguousCommands(run, submission)
    case 'failed':
      return [
        { command: plan, why: 'Check what the site reports now:' },
        resume('After the site was fixed or redeployed, resume it:'),
      ]
    case 'refused':
      return [
        resume('After a missing secret or permission was added, resume the site:'),
        { command: buildSubmitCommand(run), why: 'After the manifest was fixed, submit it again:' },
      ]
    case 'unfinished':
    case 'cancelled':
      return [resume('Resume the site:')]
    case 'running':
    case 'queued':
    case 'waiting':
    case 'done':
      return []
    default:
      return run.state satisfies never
  }
}

/** Sending another request comes last and needs certainty, because Landform cannot find out whether one arrived. */
function buildAmbiguousCommands(run: Run, submission: Submission | undefined): readonly NextCommand[] {
  const { status, discardIntent, apply } = buildCommands(run)
  if (submission?.state === 'rejected')
    return [
      {
        command: apply,
        why: 'The service rejected the request. Another one needs your consent, which this asks for:',
      },
    ]
  const checks: NextCommand[] = [
    { command: status, why: 'Check the state of the site:' },
    {
      command: buildResumeCommand(run),
      why: 'If it shows a configuration, watch it to the end; nothing is sent again:',
    },
  ]
  if (submission === undefined || !mayBeOurs(submission)) return checks
  const why =
    'Only if you are sure that the request had no effect, or that the site was redeployed, discard it; then resume:'
  return [...checks, { command: discardIntent(submission.nonce), why }]
}

function buildSubmitCommand({ manifest, commit }: Run): string {
  const source = commit === undefined ? '' : '--from-git HEAD '
  return `landform fleet submit ${source}${shellWord(manifest)}`
}
