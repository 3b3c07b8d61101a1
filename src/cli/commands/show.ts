import { planDocument } from '../../plan/plan-document.js'
import { formatPlan } from '../../report/plan-text.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions, formatOption, parseTargets } from '../options.js'
import { checkReports, emit, fail, jsonText, paintFor } from '../output.js'
import { signatureFailure, signatureOption } from '../plan-signature.js'
import { readPlanFile } from '../saved-plan-file.js'
import { siteFormats } from '../with-session.js'

/** Prints a saved plan again. Reads nothing but its file. */
export const show = command({
  arguments: [{ name: 'file', describe: 'Plan that landform plan --out wrote' }],
  options: { ...signatureOption, ...formatOption(siteFormats), ...commonOptions },
  examples: [['show plan.json', 'read a saved plan again']],
  async run({ file, format, color, 'require-signature': key }, host) {
    const targets = parseTargets(format, siteFormats)
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
      name === 'json'
        ? jsonText(planDocument(plan))
        : formatPlan(plan, paintFor('stdout', toFile ? 'never' : color)),
    )
    return written ? exitCodes.done : exitCodes.state
  },
})
