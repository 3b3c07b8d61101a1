import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import {
  type ArgumentsOf,
  type ExitCode,
  emit,
  exitCodes,
  expandFiles,
  type Failure,
  fail,
  fleetFormats,
  type fleetSubmit,
  type Host,
  jsonText,
  paintFor,
  parseDuration,
  parseTargets,
  parseWhole,
  type SitesContext,
  UsageError,
  withSites,
  worstExitCode,
} from 'landform/cli'
import { formatDiagnostics, type Paint, plain, type ReadLines } from 'landform/report'
import type { FleetTables } from '../database/view.js'
import type { Rollout } from '../model/run.js'
import {
  decideEffect,
  numberWaves,
  type OrderTerms,
  type PreviousRun,
  parseWaves,
  type Reach,
} from '../model/submission.js'
import {
  buildSubmissionDocument,
  describeSubmission,
  formatSubmission,
  type SubmittedSite,
} from '../report/submission.js'
import { type CommandEnd, withFleetDatabase } from './open-fleet.js'
import {
  type ManifestOrigin,
  type OrderedSite,
  openManifestOrigin,
  openOrderedSite,
} from './ordered-sites.js'
import { confirmChanges } from './select.js'

type SubmitArguments = ArgumentsOf<typeof fleetSubmit>

/** Submits manifests to the workers after all of them passed every check. Reads no secret, and contacts no site. */
export async function submit(argv: SubmitArguments, host: Host): Promise<ExitCode> {
  const { color, waves, priority = '100' } = argv
  const reaches = waves === undefined ? [] : parseWaves(waves)
  if (reaches === undefined)
    throw new UsageError(
      `--waves must be a list of increasing sizes such as 1,10%,100%, not ${JSON.stringify(waves)}`,
    )
  const terms = {
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
    const plan = { reaches, ...terms, ...(commit !== undefined && { commit }) }
    const at = { ...host, saysSent: true }
    return await withSites({ ...argv, policy: policies, url: undefined }, at, {
      formats: fleetFormats,
      chosen: { kind: 'many', candidates, ...(problem !== undefined && { problem }) },
      open: file => openOrderedSite(file, { origin, policies }),
      work: context => submitSites(context, { argv, host, plan, origin }),
    })
  } finally {
    await origin.close()
  }
}

/** The waves, and the terms that all orders of a submission share. Without `reaches`, all sites are in one wave. */
type SubmissionPlan = Omit<OrderTerms, 'digest'> & { readonly reaches: readonly Reach[] }

async function submitSites(
  { members, targets, refuse }: SitesContext<OrderedSite, (typeof fleetFormats)[number]>,
  {
    argv,
    host,
    plan,
    origin,
  }: { argv: SubmitArguments; host: Host; plan: SubmissionPlan; origin: ManifestOrigin },
): Promise<ExitCode> {
  const { color } = argv
  const refused = members.flatMap(({ opened }) => (opened.ok ? [] : [opened.error]))
  const readLines: ReadLines = file =>
    refused.map(one => one.readLines?.(file)).find(lines => lines !== undefined)
  const failures = refused.map(({ failure }) => failure)
  if (failures.length > 0)
    return fail(host, combineFailures(failures, members.length), { targets, color, readLines })
  const sites = members.flatMap(({ opened }) => (opened.ok ? [opened.value.session()] : []))
  for (const site of sites)
    if (site.warnings.length > 0)
      host.stderr.print(
        formatDiagnostics(site.warnings, { readLines: site.readLines, paint: paintFor('stderr', color) }),
      )
  const work = async ({ store }: FleetTables): Promise<CommandEnd> => {
    const formers = await store.previousRuns(sites.map(({ url }) => url))
    const sameAs = argv.all ? () => undefined : await findUnchanged(formers, origin)
    const planned = orderSites(sites, plan, { formers, sameAs })
    const text = (paint: Paint) => formatSubmission(planned, paint)
    const count = planned.filter(({ is }) => is !== 'same').length
    const review = { count, question: 'Submit', done: 'submitted', targets, text }
    const rejection = await confirmChanges(review, argv, host)
    if (rejection !== undefined) return { ok: false, error: rejection }
    const rollout = createRollout(host, argv['keep-going'])
    const stored = await store.submit(
      rollout,
      planned.map(({ run }) => run),
    )
    const submission = {
      rollout: stored.some(({ is }) => is !== 'same') ? rollout.id : null,
      commit: plan.commit,
      sites: planned.map((one, at) => ({ ...one, ...stored[at] })),
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

function combineFailures(failures: readonly Failure[], of: number): Failure {
  // A failure without diagnostics has its own message.
  const sentences = failures.flatMap(({ diagnostics, message }) => (diagnostics?.length ? [] : [message]))
  const count = `${failures.length} of ${of} manifests cannot be submitted; nothing was submitted`
  return {
    exitCode: worstExitCode(failures.map(({ exitCode }) => exitCode)),
    message: [...sentences, count].join('; '),
    diagnostics: failures.flatMap(({ diagnostics }) => diagnostics ?? []),
  }
}

type PreviousRuns = ReadonlyMap<string, PreviousRun>

/** Returns a function that finds the commit of the newest run of a site, if its files are the same there. */
async function findUnchanged(formers: PreviousRuns, origin: ManifestOrigin) {
  const commits = new Set(
    [...formers.values()].flatMap(({ commit }) => (commit === undefined ? [] : [commit])),
  )
  const changes = new Map<string, ReadonlySet<string> | undefined>()
  for (const commit of commits) changes.set(commit, await origin.listChanges(commit))
  return ({ url, files }: OrderedSite): string | undefined => {
    const { commit = '' } = formers.get(url) ?? {}
    const changed = changes.get(commit)
    return changed === undefined || files.some(file => changed.has(file)) ? undefined : commit
  }
}

/**
 * Creates an order for each site. Only sites that get a new run are divided into waves, so the first wave is a canary even
 * if other sites are unfinished; those are in the last wave, in case they have ended by then.
 */
function orderSites(
  sites: readonly OrderedSite[],
  { reaches, ...terms }: SubmissionPlan,
  { formers, sameAs }: { formers: PreviousRuns; sameAs(site: OrderedSite): string | undefined },
): readonly SubmittedSite[] {
  const effects = sites.map(site => {
    const former = formers.get(site.url)
    const commit = sameAs(site)
    const unchanged = commit === undefined ? {} : { sameAs: commit }
    const order = { digest: site.digest, ...terms, ...unchanged }
    return { site, former, unchanged, is: decideEffect(former, order) }
  })
  const added = effects.filter(({ is }) => is !== 'same')
  const waves = numberWaves(added.length, reaches)
  const waveOf = new Map(added.map((one, at) => [one, waves[at]]))
  return effects.map(one => {
    const { site: of, former, is, unchanged } = one
    const { url: site, manifest, ordered, digest } = of
    const wave = waveOf.get(one) ?? waves.at(-1) ?? 1
    const run = { site, name: manifest.name, manifest: ordered, digest, ...terms, ...unchanged, wave }
    return { run, is, former, generation: (former?.generation ?? 0) + (is === 'same' ? 0 : 1) }
  })
}

/** Creates a rollout by the current user. Its id begins with the date, so ids sort by day. */
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
