import type { Result } from 'landform'
import {
  type ArgumentsOf,
  confirm,
  type ExitCode,
  exitCodes,
  type Failure,
  type fleetCancel,
  type fleetResume,
  type Host,
  paintFor,
  type ReportTarget,
  UsageError,
} from 'landform/cli'
import { display, formatNumber, type Paint } from 'landform/report'
import { findSimilar, normalizeSiteUrl } from 'landform/sites'
import type { FleetStore } from '../database/fleet-store.js'
import type { Rollout, Run } from '../model/run.js'

/** Selects the newest runs and the rollouts that the command line names. */
export async function selectRuns(
  argv: ArgumentsOf<typeof fleetCancel> | ArgumentsOf<typeof fleetResume>,
  store: FleetStore,
): Promise<Result<{ readonly runs: readonly Run[]; readonly rollouts: readonly Rollout[] }, Failure>> {
  const { sites, rollout } = argv
  const [flag, isGiven] = 'all' in argv ? ['--all', argv.all] : ['--failed', argv.failed]
  const isAny = isGiven || rollout !== undefined
  if (sites.length > 0 && isAny)
    throw new UsageError(`site names cannot be combined with ${flag} or --rollout`)
  if (sites.length === 0 && !isAny) throw new UsageError(`name sites, or use ${flag} or --rollout ID`)
  if (sites.length > 0) {
    const chosen = selectSites(sites, await store.runs())
    return chosen.ok ? { ok: true, value: { runs: chosen.value, rollouts: [] } } : chosen
  }
  const all = await store.rollouts()
  const rollouts = rollout === undefined ? all : all.filter(({ id }) => id === rollout)
  if (rollout === undefined || rollouts.length > 0)
    return { ok: true, value: { runs: await store.runs({ rollout }), rollouts } }
  const ids = all.map(({ id }) => id)
  return failSelection(`rollout ${display(rollout)} does not exist${suggest(rollout, ids)}`)
}

/**
 * Selects the runs of the named sites, each once. A word is a name or an address. A name that several sites have is an
 * error, because a command must not affect an unintended site.
 */
export function selectSites(words: readonly string[], runs: readonly Run[]): Result<readonly Run[], Failure> {
  const chosen = new Set<Run>()
  for (const word of words) {
    const address = URL.canParse(word) ? normalizeSiteUrl(word) : undefined
    const found = runs.filter(run => run.site === address || run.name === word)
    if (found.length === 0) {
      const known = new Set(runs.flatMap(({ name, site }) => [name, site]))
      return failSelection(`this fleet has no site ${display(word)}${suggest(word, [...known])}`)
    }
    if (new Set(found.map(({ site }) => site)).size > 1) {
      const sites = found.map(({ site }) => display(site)).join(', ')
      const message = `several sites are named ${display(word)}; select one by its address: ${sites}`
      return failSelection(message, exitCodes.usage)
    }
    for (const run of found) chosen.add(run)
  }
  return { ok: true, value: [...chosen] }
}

function suggest(word: string, known: readonly string[]): string {
  const meant = findSimilar(word, known)
  return meant === undefined ? '' : `; did you mean ${display(meant)}?`
}

function failSelection(message: string, exitCode: ExitCode = exitCodes.missing): Result<never, Failure> {
  return { ok: false, error: { exitCode, message, next: ['landform fleet status'] } }
}

interface ChangeReview {
  readonly count: number
  /** The sites or rollouts that change. Default: the number of sites. */
  readonly subject?: string
  readonly question: string
  readonly done: string
  /** Default: stdout as text. */
  readonly targets?: readonly ReportTarget<string>[]
  text(paint: Paint): string
}

/** Shows the changes and asks for confirmation once. Returns the failure if it was not given. */
export async function confirmChanges(
  { count, subject = formatNumber(count, 'site'), question, done, targets, text }: ChangeReview,
  { color, ...choices }: Pick<ArgumentsOf<typeof fleetCancel>, 'yes' | 'no-input' | 'color'>,
  host: Host,
): Promise<Failure | undefined> {
  const toStdout = targets?.some(({ format, file }) => format === 'text' && file === undefined) ?? true
  if (toStdout) host.stdout.print(text(paintFor('stdout', color)))
  // A question needs the list of changes.
  else if (host.isInteractive) host.stderr.print(text(paintFor('stderr', color)))
  if (count === 0) return undefined
  return confirm(host, choices, {
    question: `${question} ${subject}?`,
    purpose: ` to ${question.toLowerCase()} ${subject}`,
    without: `; nothing was ${done}`,
    review: 'review the list',
    prefix: `not ${done}: `,
  })
}
