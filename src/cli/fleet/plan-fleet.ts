import { type ExitCode, exitCodes, UsageError, worstExitCode } from '../../report/exit-code.js'
import { formatPlansMarkdown, hasWork, plansDocument } from '../../report/fleet.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { type Chosen, parseConcurrency } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import type { plan } from '../declarations/sites.js'
import type { Host } from '../host.js'
import { summarizeForGitHub } from '../plan/plan-output.js'
import { checkImmutableEdits } from '../site/failures.js'
import { openSession } from '../site/open-session.js'
import { planToReview } from '../site/read-site.js'
import { emit, jsonText, paintFor } from '../terminal/output.js'
import { withFleet } from './open-fleet.js'
import { planMembers, planTexts, writeAll } from './plan-members.js'

interface Asked {
  readonly chosen: Chosen & { readonly kind: 'many' }
  readonly ignored: readonly JsonPointer[]
  readonly lifetimeMs: number
}

/** Shows the plan of each site, then the totals. */
export async function planFleet(
  argv: Omit<ArgumentsOf<typeof plan>, 'files'>,
  host: Host,
  { chosen, ...options }: Asked,
): Promise<ExitCode> {
  const concurrency = parseConcurrency(argv.concurrency)
  if (argv.out !== undefined)
    throw new UsageError('--out saves the plan of one site; run plan once for each manifest')
  if (argv['storage-classes'] !== undefined)
    throw new UsageError('--storage-classes is of one cluster, and each site has its own; name one manifest')
  return withFleet(argv, host, {
    formats: ['text', 'json', 'markdown'] as const,
    chosen,
    open: (file, at) => openSession({ ...argv, file }, at),
    async work({ members, targets }) {
      const { color, verbose } = argv
      const { signal } = new AbortController()
      const plans = await planMembers(members, host, {
        concurrency,
        color,
        signal,
        keepOpen: false,
        plan: (session, at) => planToReview(session, at, { ...argv, ...options, signal }),
        findBlocker: checkImmutableEdits,
      })
      const written = await emit(host, targets, (format, toFile) => {
        if (format === 'json') return jsonText(plansDocument(plans))
        if (format === 'markdown') return formatPlansMarkdown(plans)
        const paint = paintFor('stdout', toFile ? 'never' : color)
        const texts = planTexts(plans, paint, { verbose })
        if (toFile) return [...texts].join('')
        writeAll(host.stdout, texts)
        return ''
      })
      const changes = plans.some(hasWork)
      const exitCode = worstExitCode([
        ...plans.map(({ failure }) => failure?.exitCode ?? exitCodes.done),
        written ? exitCodes.done : exitCodes.state,
        argv['detailed-exitcode'] && changes ? exitCodes.changes : exitCodes.done,
      ])
      await summarizeForGitHub(host, { markdown: formatPlansMarkdown(plans), changes, exitCode })
      return exitCode
    },
  })
}
