import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Result } from 'landform'
import {
  type ArgumentsOf,
  type ExitCode,
  emit,
  exitCodes,
  expandFiles,
  type Failure,
  type FleetContext,
  fail,
  fleetFormats,
  type fleetSubmit,
  type Host,
  jsonText,
  type Member,
  paintFor,
  parseDuration,
  parseTargets,
  parseWhole,
  UsageError,
  withFleet,
  worstExitCode,
} from 'landform/cli'
import { formatDiagnostics, type Paint, plain, type ReadLines } from 'landform/report'
import type { NewRun } from '../database/add-runs.js'
import type { FleetTables } from '../database/view.js'
import type { Rollout } from '../model/run.js'
import {
  cutWaves,
  decideEffect,
  numberWaves,
  type PreviousRun,
  parseWaves,
  type Reach,
  type SubmissionEffect,
} from '../model/submission.js'
import {
  buildSubmissionDocument,
  describeSubmission,
  formatSubmission,
  type SubmittedSite,
} from '../report/submission.js'
import { type CommandEnd, withFleetDatabase } from './open-fleet.js'
import { type OrderedSite, openManifestOrigin, openOrderedSite } from './ordered-sites.js'
import { confirmChanges } from './select.js'

type SubmitArguments = ArgumentsOf<typeof fleetSubmit>

/** Submits manifests to the workers after all of them passed every check. Reads no secret, and contacts no site. */
export async function submit(argv: SubmitArguments, host: Host): Promise<ExitCode> {
  const { color, priority = '100' } = argv
  const terms = {
    reaches: parseWavesOption(argv.waves),
    priority: parseWhole('priority', priority, { from: 1, to: 1000 }),
    timeoutMs: parseDuration('timeout', argv.timeout),
  }
  const targets = parseTargets(argv.format, fleetFormats)
  const found = await openManifestOrigin(argv['from-git'], host)
  if (!found.ok) return fail(host, found.error, { targets, color, readLines: () => undefined })
  const { value: origin } = found
  try {
    const { candidates, problem } = await expandFiles(argv.files.map(origin.toPath))
    const policies = argv.policy.map(origin.toPath)
    if (origin.warning !== undefined) host.stderr.print(`warning: ${origin.warning}\n`)
    const { commit } = origin
    const submitting = { argv, host, terms: { ...terms, ...(commit !== undefined && { commit }) } }
    return await withFleet({ ...argv, policy: policies, url: undefined }, host, {
      formats: fleetFormats,
      chosen: { kind: 'many', candidates, ...(problem !== undefined && { problem }) },
      open: file => openOrderedSite(file, { origin, policies }),
      work: context => submitSites(context, submitting),
    })
  } finally {
    await origin.close()
  }
}

/** Reads `--waves`; without it all sites are one wave. */
function parseWavesOption(text: string | undefined): readonly Reach[] {
  const reaches = text === undefined ? [] : parseWaves(text)
  if (reaches !== undefined) return reaches
  throw new UsageError(
    `--waves must be a list of increasing sizes such as 1,10%,100%, not ${JSON.stringify(text)}`,
  )
}

/** The options for all sites of a submission. */
interface SubmissionOptions {
  /** The size of each wave; without sizes, all sites are one wave. */
  readonly reaches: readonly Reach[]
  readonly priority: number
  readonly timeoutMs: number
  readonly commit?: string
}

interface SubmitParts {
  readonly argv: SubmitArguments
  readonly host: Host
  readonly terms: SubmissionOptions
}

async function submitSites(
  { members, targets, refuse }: FleetContext<OrderedSite, (typeof fleetFormats)[number]>,
  { argv, host, terms }: SubmitParts,
): Promise<ExitCode> {
  const { color } = argv
  const checked = collectSites(members)
  if (!checked.ok) return fail(host, checked.error.failure, { ...checked.error, targets, color })
  const sites = checked.value
  for (const { warnings, readLines } of sites)
    if (warnings.length > 0)
      host.stderr.print(formatDiagnostics(warnings, { readLines, paint: paintFor('stderr', color) }))
  const work = async (open: FleetTables): Promise<CommandEnd> => {
    const formers = await open.store.previousRuns(sites.map(({ url }) => url))
    const orders = orderSites(sites, terms, formers)
    const planned = orders.map(one => toSubmittedSite(one))
    const text = (paint: Paint) => formatSubmission(planned, paint)
    const count = orders.filter(({ is }) => is !== 'same').length
    const review = { count, question: 'Submit', done: 'submitted', targets, text }
    const rejection = await confirmChanges(review, argv, host)
    if (rejection !== undefined) return { ok: false, error: rejection }
    const rollout = createRollout(host, argv['keep-going'])
    const stored = await open.store.submit({ rollout, runs: orders.map(({ run }) => run) })
    const submission = {
      rollout: stored.some(({ is }) => is !== 'same') ? rollout.id : null,
      commit: terms.commit,
      sites: orders.map((one, at) => toSubmittedSite(one, stored[at])),
    }
    const written = await emit(host, targets, (format, toFile) => {
      if (format === 'json') return jsonText(buildSubmissionDocument(submission))
      // The table was printed to stdout already.
      return `${toFile ? text(plain) : ''}${describeSubmission(submission)}\n`
    })
    if (submission.rollout !== null) host.stderr.print('next: landform fleet status\n')
    return { ok: true, value: written ? exitCodes.done : exitCodes.state }
  }
  return withFleetDatabase(argv, host, work, { refuse })
}

interface ManifestFailures {
  readonly failure: Failure
  readonly readLines: ReadLines
}

/** Collects the sites, or combines all errors in their manifests into one failure. */
function collectSites(
  members: readonly Member<OrderedSite>[],
): Result<readonly OrderedSite[], ManifestFailures> {
  const refused = members.flatMap(({ opened }) => (opened.ok ? [] : [opened.error]))
  if (refused.length === 0)
    return { ok: true, value: members.flatMap(({ opened }) => (opened.ok ? [opened.value.session()] : [])) }
  // A failure without diagnostics has its own message.
  const sentences = refused.flatMap(({ failure }) => (failure.diagnostics?.length ? [] : [failure.message]))
  const count = `${refused.length} of ${members.length} manifests cannot be submitted; nothing was submitted`
  const failure = {
    exitCode: worstExitCode(refused.map(one => one.failure.exitCode)),
    message: [...sentences, count].join('; '),
    diagnostics: refused.flatMap(one => one.failure.diagnostics ?? []),
  }
  const readLines: ReadLines = file =>
    refused.map(one => one.readLines?.(file)).find(lines => lines !== undefined)
  return { ok: false, error: { failure, readLines } }
}

/** A site with the effect of its submission. */
interface SiteOrder {
  readonly run: NewRun
  readonly is: SubmissionEffect
  readonly former: PreviousRun | undefined
}

/**
 * Creates an order for each site. Waves are formed from sites that get a new run, so that the first one of a submission
 * with unfinished sites is again a canary; the others are in the last wave, in case they have ended by then.
 */
function orderSites(
  sites: readonly OrderedSite[],
  { reaches, ...terms }: SubmissionOptions,
  formers: ReadonlyMap<string, PreviousRun>,
): readonly SiteOrder[] {
  const effects = sites.map(site => {
    const former = formers.get(site.url)
    return { site, former, is: decideEffect(former, { digest: site.digest, ...terms }) }
  })
  const added = effects.filter(({ is }) => is !== 'same')
  const waves = cutWaves(added, reaches)
  const waveOf = numberWaves(waves)
  return effects.map(one => {
    const { url: site, manifest, ordered, digest } = one.site
    const wave = waveOf.get(one) ?? Math.max(1, waves.length)
    return { ...one, run: { site, name: manifest.name, manifest: ordered, digest, ...terms, wave } }
  })
}

/** Creates a submission by the current user. Its id begins with the day, so that a list of them is in order. */
export function createRollout(
  { clock }: Host,
  keepsGoing: boolean,
): Pick<Rollout, 'id' | 'submittedBy' | 'keepsGoing'> {
  const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '')
  return { id: `${day}-${randomBytes(3).toString('hex')}`, submittedBy: describeSubmitter(), keepsGoing }
}

function describeSubmitter(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A container may run under a user id without a name.
    return hostname()
  }
}

/** Returns a site as it would be submitted or, with the stored result, as it was. */
function toSubmittedSite(
  { run, is: expected, former }: SiteOrder,
  stored?: Pick<SubmittedSite, 'is' | 'generation'>,
): SubmittedSite {
  const next = (former?.generation ?? 0) + (expected === 'same' ? 0 : 1)
  const { is, generation } = stored ?? { is: expected, generation: next }
  const { name: site, site: url, manifest: file, digest, wave } = run
  return { site, url, file, digest, wave: is === 'same' ? null : wave, generation, is, former }
}
