import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions, formatOption, parseTargets } from '../options.js'
import { checkReports, emit, fail } from '../output.js'
import { planFormats, renderPlan, verboseOption } from '../plan/plan-output.js'
import { signatureFailure, signatureOption } from '../plan/plan-signature.js'
import { readPlanFile } from '../plan/saved-plan-file.js'

/** Prints a saved plan again. Reads nothing but its file. */
export const show = command({
  arguments: [{ name: 'file', describe: 'Plan that landform plan --out wrote' }],
  options: { ...signatureOption, ...verboseOption, ...formatOption(planFormats), ...commonOptions },
  examples: [['show plan.json', 'read a saved plan again']],
  async run({ file, format, color, verbose, 'require-signature': key }, host) {
    const targets = parseTargets(format, planFormats)
    await checkReports(
      targets.map(target => target.file),
      [file],
    )
    const read = await readPlanFile(file)
    const context = { targets, color, linesOf: () => undefined }
    if (!read.ok) return fail(host, read.failure, context)
    const { id, plan } = read.saved
    const unsigned = await signatureFailure(file, id, key)
    if (unsigned !== undefined) return fail(host, unsigned, context)
    const written = await emit(host, targets, (name, toFile) =>
      renderPlan(plan, name, { color: toFile ? 'never' : color, verbose }),
    )
    return written ? exitCodes.done : exitCodes.state
  },
})
