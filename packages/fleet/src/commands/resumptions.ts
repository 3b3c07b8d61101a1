import { exitCodes } from '../../../../src/cli/exit-code.js'
import type { Host } from '../../../../src/cli/host.js'
import { stateFailureOf } from '../../../../src/cli/site/failures.js'
import type { Failure } from '../../../../src/cli/terminal/output.js'
import { display } from '../../../../src/report/display.js'
import { afterRejection } from '../../../../src/report/outcome-text.js'
import type { Result } from '../../../../src/result.js'
import { repeatable, resumptionOf } from '../model/resumption.js'
import type { Run } from '../model/run.js'
import type { ResumedSite } from '../report/resumption.js'
import { commandsFor } from '../workflow/next-steps.js'
import { keptAbout } from './kept-about.js'
import type { OpenFleet } from './open-fleet.js'

export type Resumptions = Result<readonly ResumedSite[], Failure>

/** Selects the sites that start again without a decision. */
export function repeatedAmong(runs: readonly Run[]): readonly ResumedSite[] {
  return runs.flatMap(run => (repeatable.includes(run.state) ? [{ run, is: 'again' }] : []))
}

/**
 * Decides the effect of resuming the named sites. A site whose service rejected its request makes the whole command fail:
 * another request needs the consent that `landform apply` asks for.
 */
export async function resumptionsOf(runs: readonly Run[], open: OpenFleet, host: Host): Promise<Resumptions> {
  const sites: ResumedSite[] = []
  for (const run of runs) {
    const kept = run.state === 'ambiguous' ? await keptAbout(run.site, open, host).read() : undefined
    if (kept?.ok === false) return { ok: false, error: stateFailureOf(kept.error) }
    const is = resumptionOf(run, kept?.value?.submission)
    if (is === 'rejected') return { ok: false, error: afterNo(run) }
    sites.push({ run, is })
  }
  return { ok: true, value: sites }
}

function afterNo(run: Run): Failure {
  return {
    exitCode: exitCodes.unknown,
    message: `the service rejected configure of ${display(run.name)}, and another request needs consent; nothing was resumed`,
    next: afterRejection(commandsFor(run).apply),
  }
}
