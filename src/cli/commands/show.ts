import type { ExitCode } from '../../report/exit-code.js'
import { exitCodes } from '../../report/exit-code.js'
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
import { parseTargets } from '../options.js'
import { planReports } from '../plan/plan-output.js'
import { signatureFailure } from '../plan/plan-signature.js'
import { readPlanFile } from '../plan/saved-plan-file.js'
import { checkReports, emit, fail } from '../terminal/output.js'

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
  { file, format, color, verbose, 'require-signature': key }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const targets = parseTargets(format, planFormats)
  await checkReports(
    targets.map(target => target.file),
    [file],
  )
  const read = readPlanFile(file)
  const context = { targets, color }
  if (!read.ok) return fail(host, read.error, context)
  const { id, plan } = read.value
  const unsigned = await signatureFailure(file, id, key)
  if (unsigned !== undefined) return fail(host, unsigned, context)
  const written = await emit(host, targets, (name, toFile) =>
    planReports[name](plan, { color: toFile ? 'never' : color, verbose, adopt: nameAdopt(plan) }),
  )
  return written ? exitCodes.done : exitCodes.state
}

export const command = pair(declaration, show)
