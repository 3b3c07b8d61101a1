import {
  type ArgumentsOf,
  type ExitCode,
  emit,
  exitCodes,
  expandFiles,
  type FleetContext,
  fail,
  fleetFormats,
  type fleetSubmit,
  type Host,
  jsonText,
  paintFor,
  parseDuration,
  parseTargets,
  parseWhole,
  UsageError,
  withFleet,
} from 'landform/cli'
import { formatDiagnostics, type Paint, plain } from 'landform/report'
import { parseWaves, type Reach } from '../model/waves.js'
import { buildSubmissionDocument, describeSubmission, formatSubmission } from '../report/submission.js'
import { confirmChanges } from './confirm-changes.js'
import type { OpenEngine } from './fleet-engine.js'
import { combineManifestFailures } from './manifest-failures.js'
import { openManifestOrigin } from './manifest-origin.js'
import { createRollout } from './new-rollout.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { type OrderedSite, openOrderedSite } from './open-ordered-site.js'
import { orderSites, type SubmissionOptions } from './order-sites.js'
import { submitOrders, toSubmittedSite } from './submit-orders.js'

type SubmitArguments = ArgumentsOf<typeof fleetSubmit>
type SubmitCommandContext = FleetContext<OrderedSite, (typeof fleetFormats)[number]>

/** Submits manifests to the workers after all of them passed every check. Reads no secret, and contacts no site. */
export async function submit(argv: SubmitArguments, host: Host, openEngine: OpenEngine): Promise<ExitCode> {
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
    const expanded = await expandFiles(argv.files.map(origin.toPath))
    const policies = argv.policy.map(origin.toPath)
    const { candidates, problem } = expanded
    if (origin.warning !== undefined) host.stderr.print(`warning: ${origin.warning}\n`)
    return await withFleet({ ...argv, policy: policies, url: undefined }, host, {
      formats: fleetFormats,
      chosen: { kind: 'many', candidates, ...(problem !== undefined && { problem }) },
      open: file => openOrderedSite(file, { origin, policies }),
      work: context =>
        submitSites(context, { argv, host, openEngine, terms: { ...terms, commit: origin.commit } }),
    })
  } finally {
    await origin.close()
  }
}

interface SubmitParts {
  readonly argv: SubmitArguments
  readonly host: Host
  readonly openEngine: OpenEngine
  readonly terms: SubmissionOptions
}

async function submitSites(
  { members, targets, refuse }: SubmitCommandContext,
  submitting: SubmitParts,
): Promise<ExitCode> {
  const { argv, host, terms } = submitting
  const refused = combineManifestFailures(members)
  if (refused !== undefined)
    return fail(host, refused.failure, { targets, color: argv.color, readLines: refused.readLines })
  const sites = members.flatMap(({ opened }) => (opened.ok ? [opened.value.session()] : []))
  for (const { warnings, readLines } of sites)
    if (warnings.length > 0)
      host.stderr.print(formatDiagnostics(warnings, { readLines, paint: paintFor('stderr', argv.color) }))
  const work = async (open: OpenFleet) => {
    const formers = await open.store.previousRuns(sites.map(({ url }) => url))
    const orders = orderSites(sites, terms, formers)
    const table = (paint: Paint) =>
      formatSubmission(
        orders.map(one => toSubmittedSite(one)),
        paint,
      )
    const rejection = await confirmChanges(
      {
        count: orders.filter(({ is }) => is !== 'same').length,
        question: 'Submit',
        done: 'submitted',
        targets,
        text: table,
      },
      argv,
      host,
    )
    if (rejection !== undefined) return refuse(rejection)
    const submission = await submitOrders(orders, open, {
      rollout: createRollout(host, argv['keep-going']),
      commit: terms.commit,
      openEngine: submitting.openEngine,
    })
    const written = await emit(host, targets, (format, toFile) => {
      if (format === 'json') return jsonText(buildSubmissionDocument(submission))
      // The table was printed to stdout already.
      return `${toFile ? table(plain) : ''}${describeSubmission(submission)}\n`
    })
    if (submission.rollout !== null) host.stderr.print('next: landform fleet status\n')
    return written ? exitCodes.done : exitCodes.state
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}

/** Reads `--waves`; without it all sites are one wave. */
function parseWavesOption(text: string | undefined): readonly Reach[] {
  const reaches = text === undefined ? [] : parseWaves(text)
  if (reaches !== undefined) return reaches
  throw new UsageError(
    `--waves must be a list of increasing sizes such as 1,10%,100%, not ${JSON.stringify(text)}`,
  )
}
