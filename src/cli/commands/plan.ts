import { hasChanges } from '../../plan/plan.js'
import { planDocument } from '../../plan/plan-document.js'
import { formatPlan } from '../../report/plan-text.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { makePlan } from '../make-plan.js'
import { emit, jsonText, paintFor } from '../output.js'
import { defaultLifetimeMs } from '../situation.js'
import { manifestArgument, manifestOptions, withSession } from '../with-session.js'

/** Shows what an apply would do. Sends nothing but GET, and reads no secret. */
export const plan = command({
  arguments: [manifestArgument],
  options: {
    'detailed-exitcode': { kind: 'flag', describe: 'Exit with 2 when there are changes' },
    ...manifestOptions,
  },
  examples: [
    ['plan site.yaml', 'show what apply would do'],
    ['plan site.yaml --format json --detailed-exitcode', 'for a pipeline'],
  ],
  run: (argv, host) =>
    withSession(argv, host, async ({ session, targets, refuse, warn }) => {
      const made = await makePlan(session, host, {
        ignored: [],
        lifetimeMs: defaultLifetimeMs,
        signal: new AbortController().signal,
      })
      if (!made.ok) return refuse(made.failure)
      warn(made.warnings)
      const written = await emit(host, targets, (format, toFile) =>
        format === 'json'
          ? jsonText(planDocument(made.plan))
          : formatPlan(made.plan, paintFor('stdout', toFile ? 'never' : argv.color)),
      )
      if (!written) return exitCodes.state
      return argv['detailed-exitcode'] && hasChanges(made.plan) ? exitCodes.changes : exitCodes.done
    }),
})
