import type { ExitCode } from '../../report/exit-code.js'
import { nameAdopt } from '../../report/plan-words.js'
import { type ArgumentsOf, declare, pair } from '../command.js'
import {
  commonOptions,
  formatOption,
  planFormats,
  signatureOption,
  verboseOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import { planReports } from '../plan/plan-output.js'
import { signatureFailure } from '../plan/plan-signature.js'
import { readPlanFile } from '../plan/saved-plan-file.js'
import { withOpened } from '../with-opened.js'

const declaration = declare({
  name: 'show',
  describe: 'Print a saved plan again',
  touches: 'nothing',
  arguments: [{ name: 'file', describe: 'Plan that landform plan --out wrote' }],
  options: { ...signatureOption, ...verboseOption, ...formatOption(planFormats), ...commonOptions },
  examples: [['show plan.json', 'read a saved plan again']],
})

/** Prints a saved plan. Reads only its file. */
async function show(
  { file, verbose, 'require-signature': key, ...argv }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  return withOpened(argv, host, {
    formats: planFormats,
    reads: [file],
    async open() {
      const read = readPlanFile(file)
      if (!read.ok) return { ok: false, error: { failure: read.error } }
      const unsigned = await signatureFailure(file, read.value.id, key)
      if (unsigned !== undefined) return { ok: false, error: { failure: unsigned } }
      return { ok: true, value: { plan: read.value.plan, inputs: [] } }
    },
    work: ({ session: { plan }, report }) =>
      report((format, paint) => planReports[format](plan, { paint, verbose, adopt: nameAdopt(plan) })),
  })
}

export const command = pair(declaration, show)
