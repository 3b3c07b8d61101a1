import type { KeyObject } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { hasChanges, isUncompared, listBlockingEdits, type Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { formatSavedPlan } from '../../plan/saved/saved-plan.js'
import { displayJson } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { exitCodeOfFindings } from '../../report/exit-code-of.js'
import { uncheckedDocument } from '../../report/plan-words.js'
import { chooseFiles } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import { planFormats } from '../declarations/options.js'
import type { plan as declaration } from '../declarations/sites.js'
import type { Host } from '../host.js'
import { parseDuration, parseIgnored } from '../options.js'
import { planReports, reportToGitHub } from '../plan/plan-output.js'
import { readSigningKey, signatureFile, writeSignature } from '../plan/plan-signature.js'
import { readClasses, reportStorage } from '../plan/storage-preview.js'
import { checkImmutableEdits } from '../site/failures.js'
import type { TypedCommands } from '../site/next-commands.js'
import { sessionWith } from '../site/open-session.js'
import { planToReview, refuseWaitReady, waitUntilUp } from '../site/read-site.js'
import { printAdoption } from '../site/suggest-adoption.js'
import { emit, sayFailure, shellWord, tryToWrite } from '../terminal/output.js'
import { writeWhole } from '../terminal/write-file.js'

/** Shows the plan of an apply. Sends GET alone, and what signing in takes; offline, nothing. */
export async function plan(
  { files, ...options }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const chosen = await chooseFiles(files, options.concurrency !== undefined)
  const argv = { ...options, file: chosen.kind === 'one' ? chosen.file : '' }
  const ignored = parseIgnored(argv['ignore-immutable'])
  const lifetimeMs = parseDuration('expires', argv.expires)
  const { out } = argv
  if (out === undefined && argv['sign-key'] !== undefined)
    throw new UsageError('--sign-key signs a saved plan; add --out FILE')
  if (argv.offline) refuseWaitReady(argv, 'and --offline exclude each other: --offline sends no request')
  if (chosen.kind === 'many') {
    refuseWaitReady(argv, 'is for one site')
    const { planFleet } = await import('../fleet/plan-fleet.js')
    return planFleet(options, host, { chosen, ignored, lifetimeMs })
  }
  if (out !== undefined && argv.emulate)
    throw new UsageError('--out and --emulate exclude each other: a private emulator ends with the run')
  if (out !== undefined && argv.offline)
    throw new UsageError(
      '--out and --offline exclude each other: a plan made without reading the site cannot be applied',
    )
  if (out !== undefined && argv.file === '-')
    throw new UsageError('--out needs a manifest file, which apply reads again; - is standard input')
  if (argv.file === '-' && argv['storage-classes'] === '-')
    throw new UsageError('only one of the manifest and --storage-classes can be -, standard input')
  const key = await readSigningKey(argv['sign-key'], host)
  return sessionWith(planFormats)(argv, host, async ({ session, targets, refuse, warn }) => {
    const read = await readClasses(argv['storage-classes'], host)
    if (!read.ok) return refuse(read.error)
    const { signal } = new AbortController()
    const notUp = await waitUntilUp(session, host, { argv, signal })
    if (notUp !== undefined) return refuse(notUp)
    const made = await planToReview(session, host, { ...argv, ignored, lifetimeMs, signal })
    if (!made.ok) return refuse(made.error)
    const preview = reportStorage(session.manifest, made.value.plan, read.value)
    warn([...made.value.warnings, ...preview.diagnostics])
    const { unchecked = [] } = made.value
    const members = {
      ...preview.members,
      ...(unchecked.length > 0 && { notChecked: uncheckedDocument(unchecked) }),
    }
    const view = { ...preview, members, unchecked, verbose: argv.verbose }
    const written = await emit(host, targets, (format, toFile) =>
      planReports[format](made.value.plan, { ...view, color: toFile ? 'never' : argv.color }),
    )
    const saved =
      out === undefined ||
      (await save(made.value.plan, { ...argv, out, key, commands: session.commands }, host))
    const blocked = !written || !saved ? undefined : checkImmutableEdits(made.value.plan)
    const exitCode = selectExitCode([
      written && saved ? exitCodes.done : exitCodes.state,
      blocked?.exitCode ?? exitCodes.done,
      exitCodeOfFindings(preview.diagnostics, 'error'),
      argv['detailed-exitcode'] && hasChanges(made.value.plan) ? exitCodes.changes : exitCodes.done,
    ])
    if (!argv.offline && isUncompared(made.value.plan.fields)) printAdoption(session, argv, host)
    await reportToGitHub(host, made.value.plan, { ...view, exitCode })
    return blocked === undefined ? exitCode : sayFailure(host, blocked, argv.color)
  })
}

/** Selects the first code that is not success. */
function selectExitCode(codes: readonly ExitCode[]): ExitCode {
  return codes.find(code => code !== exitCodes.done) ?? exitCodes.done
}

interface Saving {
  readonly out: string
  readonly quiet: boolean
  readonly key: KeyObject | undefined
  readonly commands: TypedCommands
}

/** Writes a plan to its file. Returns false, and prints an error, if it cannot be written. */
async function save(made: Plan, { out: file, quiet, key, commands }: Saving, host: Host): Promise<boolean> {
  const document = buildPlanDocument(made)
  const written = await tryToWrite(host, async () => {
    writeWhole(file, { content: displayJson(formatSavedPlan(document)) })
    if (key !== undefined) writeSignature(file, document.id, key)
    // A signature of an earlier plan would not match.
    else await rm(signatureFile(file), { force: true })
  })
  if (!written) return false
  if (!quiet) host.stderr.print(`saved ${document.id}, ${describeUse(made, file, commands)}\n`)
  return true
}

function describeUse(made: Plan, file: string, { perform }: TypedCommands): string {
  return listBlockingEdits(made).length > 0
    ? `which cannot be applied: landform show ${shellWord(file)}`
    : `valid until ${made.expiresAt}: ${perform(file)}`
}
