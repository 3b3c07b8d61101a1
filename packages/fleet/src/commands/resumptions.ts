import type { Result } from 'landform'
import { exitCodes, type Failure, type Host, toStateFailure } from 'landform/cli'
import { display, suggestAfterRejection } from 'landform/report'
import { isRepeatable } from 'landform/sites'
import { decideResumption } from '../model/resumption.js'
import type { Run } from '../model/run.js'
import type { ResumedSite } from '../report/resumption.js'
import { buildCommands } from '../workflow/next-steps.js'
import type { OpenFleet } from './open-fleet.js'
import { openSiteState } from './open-site-state.js'

export type Resumptions = Result<readonly ResumedSite[], Failure>

/** Selects the sites that start again without a decision. */
export function selectRepeatable(runs: readonly Run[]): readonly ResumedSite[] {
  return runs.flatMap(run => (isRepeatable(run.state) ? [{ run, is: 'again' }] : []))
}

/**
 * Decides the effect of resuming the named sites. A site whose service rejected its request makes the whole command fail:
 * another request needs the consent that `landform apply` asks for.
 */
export async function decideResumptions(
  runs: readonly Run[],
  open: OpenFleet,
  host: Host,
): Promise<Resumptions> {
  const sites: ResumedSite[] = []
  for (const run of runs) {
    const kept = run.state === 'ambiguous' ? await openSiteState(run.site, open, host).read() : undefined
    if (kept?.ok === false) return { ok: false, error: toStateFailure(kept.error) }
    const is = decideResumption(run, kept?.value?.submission)
    if (is === 'rejected') return { ok: false, error: failAfterRejection(run) }
    sites.push({ run, is })
  }
  return { ok: true, value: sites }
}

function failAfterRejection(run: Run): Failure {
  return {
    exitCode: exitCodes.unknown,
    message: `the service rejected configure of ${display(run.name)}, and another request needs consent; nothing was resumed`,
    next: suggestAfterRejection(buildCommands(run).apply),
  }
}
