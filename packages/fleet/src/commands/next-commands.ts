import { shellWord } from '../../../../src/cli/terminal/output.js'
import { mayBeOurs, type Submission } from '../../../../src/plan/submission.js'
import type { Run } from '../model/run.js'
import type { NextCommand } from '../model/site-view.js'
import { commandsFor, resumeCommand } from '../workflow/next-steps.js'

/**
 * Returns the next commands for a run that waits for a person. They are derived from the submission and the state, and
 * never from a message, which may repeat text of the service.
 */
export function nextCommandsFor(run: Run, submission?: Submission): readonly NextCommand[] {
  const { plan } = commandsFor(run)
  const resume = (why: string): NextCommand => ({ command: resumeCommand(run), why })
  switch (run.state) {
    case 'ambiguous':
      return afterUnknown(run, submission)
    case 'failed':
      return [
        { command: plan, why: 'See what the site says now:' },
        resume('Once the site was mended or deployed anew, let the fleet go on with it:'),
      ]
    case 'refused':
      return [
        resume('Where a secret or a permission was missing and is there now:'),
        { command: submitCommand(run), why: 'Where the manifest was mended:' },
      ]
    case 'unfinished':
    case 'cancelled':
      return [resume('Let the fleet go on with the site:')]
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
function afterUnknown(run: Run, submission: Submission | undefined): readonly NextCommand[] {
  const { status, resubmit, apply } = commandsFor(run)
  if (submission?.state === 'rejected')
    return [
      { command: apply, why: 'The service said no. Another request takes a consent, which this asks for:' },
    ]
  const look: NextCommand[] = [
    { command: status, why: 'See what the site shows now:' },
    { command: resumeCommand(run), why: 'Where it shows a configuration, look on; nothing is sent again:' },
  ]
  if (submission === undefined || !mayBeOurs(submission)) return look
  const why =
    'Only where you are sure that nothing came of it, or that the site was deployed anew, take it back; then resume:'
  return [...look, { command: resubmit(submission.nonce), why }]
}

function submitCommand({ manifest, commit }: Run): string {
  const source = commit === undefined ? '' : '--from-git HEAD '
  return `landform fleet submit ${source}${shellWord(manifest)}`
}
