import { expandFiles, parseWavesOption } from '../../../../src/cli/check/expand-files.js'
import type { ArgumentsOf } from '../../../../src/cli/command.js'
import type { fleetSubmit } from '../../../../src/cli/declarations/fleet.js'
import { fleetFormats } from '../../../../src/cli/declarations/options.js'
import { type ExitCode, exitCodes } from '../../../../src/cli/exit-code.js'
import { atFleet, type FleetDesk } from '../../../../src/cli/fleet/open-fleet.js'
import type { Host } from '../../../../src/cli/host.js'
import { parseDuration, parseTargets, parseWhole } from '../../../../src/cli/options.js'
import { emit, fail, jsonText, paintFor } from '../../../../src/cli/terminal/output.js'
import { formatDiagnostics } from '../../../../src/report/findings/diagnostics-text.js'
import { type Paint, plain } from '../../../../src/report/paint.js'
import { describeSubmission, formatSubmission, submissionDocument } from '../report/submission.js'
import type { OpenEngine } from './fleet-engine.js'
import { handedOver, siteOf } from './hand-over.js'
import { manifestOrigin } from './manifest-origin.js'
import { newRollout } from './new-rollout.js'
import { type OpenFleet, withFleetDatabase } from './open-fleet.js'
import { type OrderedSite, openOrdered } from './open-ordered.js'
import { orderSites, type Terms } from './order-sites.js'
import { refusedManifests } from './refused-manifests.js'
import { reviewed } from './reviewed.js'

type SubmitArguments = ArgumentsOf<typeof fleetSubmit>
type Desk = FleetDesk<OrderedSite, (typeof fleetFormats)[number]>

/** Submits manifests to the workers after all of them passed every check. Reads no secret, and contacts no site. */
export async function submit(argv: SubmitArguments, host: Host, openEngine: OpenEngine): Promise<ExitCode> {
  const { color, priority = '100' } = argv
  const terms = {
    reaches: parseWavesOption(argv.waves),
    priority: parseWhole('priority', priority, { from: 1, to: 1000 }),
    timeoutMs: parseDuration('timeout', argv.timeout),
  }
  const targets = parseTargets(argv.format, fleetFormats)
  const found = await manifestOrigin(argv['from-git'], host)
  if (!found.ok) return fail(host, found.error, { targets, color, linesOf: () => undefined })
  const { value: origin } = found
  try {
    const expanded = await expandFiles(argv.files.map(origin.pathOf))
    const policies = argv.policy.map(origin.pathOf)
    const { candidates, problem } = expanded
    if (origin.warning !== undefined) host.stderr.write(`warning: ${origin.warning}\n`)
    return await atFleet({ ...argv, policy: policies, url: undefined }, host, {
      formats: fleetFormats,
      chosen: { kind: 'many', candidates, ...(problem !== undefined && { problem }) },
      open: file => openOrdered(file, { origin, policies }),
      work: desk => submitted(desk, { argv, host, openEngine, terms: { ...terms, commit: origin.commit } }),
    })
  } finally {
    await origin.close()
  }
}

interface Submitting {
  readonly argv: SubmitArguments
  readonly host: Host
  readonly openEngine: OpenEngine
  readonly terms: Terms
}

async function submitted({ members, targets, refuse }: Desk, submitting: Submitting): Promise<ExitCode> {
  const { argv, host, terms } = submitting
  const refused = refusedManifests(members)
  if (refused !== undefined)
    return fail(host, refused.failure, { targets, color: argv.color, linesOf: refused.linesOf })
  const sites = members.flatMap(({ opened }) => (opened.ok ? [opened.value] : []))
  for (const { warnings, linesOf } of sites)
    if (warnings.length > 0)
      host.stderr.write(formatDiagnostics(warnings, { linesOf, paint: paintFor('stderr', argv.color) }))
  const work = async (open: OpenFleet) => {
    const formers = await open.store.formers(sites.map(({ url }) => url))
    const orders = orderSites(sites, terms, formers)
    const table = (paint: Paint) =>
      formatSubmission(
        orders.map(one => siteOf(one)),
        paint,
      )
    const refusal = await reviewed(
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
    if (refusal !== undefined) return refuse(refusal)
    const submission = await handedOver(orders, open, {
      rollout: newRollout(host, argv['keep-going']),
      commit: terms.commit,
      openEngine: submitting.openEngine,
    })
    const written = await emit(host, targets, (format, toFile) => {
      if (format === 'json') return jsonText(submissionDocument(submission))
      // The table was printed to stdout already.
      return `${toFile ? table(plain) : ''}${describeSubmission(submission)}\n`
    })
    if (submission.rollout !== null) host.stderr.write('next: landform fleet status\n')
    return written ? exitCodes.done : exitCodes.state
  }
  return withFleetDatabase({ database: argv.database, host }, work, { refuse })
}
