import type { KeyObject } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { countUnrecorded, hasChanges, listBlockingEdits, needsReview, type Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { formatSavedPlan } from '../../plan/saved/saved-plan.js'
import { display, displayJson } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { describeWriteFailure, toWriteError } from '../../report/file-problem.js'
import { chooseFindingsExit } from '../../report/findings.js'
import { formatPlanOutputs, formatPlanSection } from '../../report/plan-markdown.js'
import { describeDecision, listActions, suggestRecord, uncheckedDocument } from '../../report/plan-words.js'
import { shellWord } from '../../report/shell-word.js'
import { groupPlan, planTable } from '../../report/sites.js'
import { type Chosen, chooseFiles, classifyPath } from '../check/expand-files.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import {
  concurrencyOption,
  formatOption,
  ignoreOption,
  manifestOptions,
  manifestsArgument,
  namesSkipped,
  offlineOption,
  outOption,
  type PlanFormat,
  planFormats,
  policyOption,
  storageOption,
  verboseOption,
  waitReadyOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import { parseDuration, parseFields } from '../options.js'
import { planReports } from '../plan/plan-output.js'
import { readSigningKey, signatureFile, writeSignature } from '../plan/plan-signature.js'
import { planEnding } from '../plan/saved-plan-file.js'
import { readClasses, reportStorage } from '../plan/storage-preview.js'
import { checkImmutableEdits } from '../site/consent.js'
import { runForSites } from '../site/many-sites.js'
import type { TypedCommands } from '../site/next-commands.js'
import { openSession } from '../site/open-session.js'
import { planToReview, waitUntilUp } from '../site/read-site.js'
import type { SiteSession } from '../site/session.js'
import { type Done, failed, runForSite, type SiteCommand } from '../site/site-command.js'
import { type Failure, tryToWrite } from '../terminal/output.js'
import { deleteFile, writeWhole } from '../terminal/write-file.js'

const declaration = declare({
  name: 'plan',
  describe: 'Show what apply would do; read-only',
  touches: 'looks',
  arguments: [manifestsArgument],
  options: {
    ...outOption,
    expires: text('TIME', 'How long the saved plan stays valid', { default: '24h' }),
    'sign-key': text('WHERE', 'Sign the saved plan: an Ed25519 key in PEM, env:LANDFORM_… or file:PATH'),
    ...concurrencyOption,
    ...offlineOption,
    'detailed-exitcode': flag(
      'Exit with 2 when there are changes, differences, or no record to compare with',
    ),
    ...ignoreOption,
    ...waitReadyOption,
    ...storageOption,
    ...policyOption,
    verbose: {
      ...verboseOption.verbose,
      describe: `${verboseOption.verbose.describe}, print how the site is reached, and ${namesSkipped}`,
    },
    ...manifestOptions,
    ...formatOption(planFormats),
  },
  examples: [
    ['plan site.yaml', 'show what apply would do'],
    ['plan site.yaml --out plan.json', 'save the plan, to review it and apply it later'],
    ['plan site.yaml --offline', 'plan without reading the site, for example in a fork'],
    ['plan site.yaml --format json --detailed-exitcode', 'for a pipeline'],
    ['plan site.yaml --format text --format markdown=plan.md --format html=plan.html', 'for reviewers'],
    ['plan sites --out plans', 'plan each site in a folder, and save each plan'],
  ],
})

type Arguments = Omit<ArgumentsOf<typeof declaration>, 'files'>

/** Shows the plan of an apply, for one site or many. Sends only GET requests and the sign-in request, or nothing if offline. */
async function plan({ files, ...argv }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const chosen = await chooseFiles(files, argv.concurrency !== undefined)
  const ignored = parseFields('ignore-immutable', argv['ignore-immutable'])
  const lifetimeMs = parseDuration('expires', argv.expires)
  checkOptions(argv, chosen)
  const key = await readSigningKey(argv['sign-key'], host)
  const command = planSite(argv, { ignored, lifetimeMs, key })
  if (chosen.kind === 'one') return runForSite({ ...argv, file: chosen.file }, host, command)
  if (argv.out !== undefined) createFolder(argv.out)
  return runForSites(argv, host, command, { chosen, view: { ...planTable, showsEach: true } })
}

/** Rejects options that contradict each other or the number of sites. */
function checkOptions({ out, offline, emulate, ...argv }: Arguments, chosen: Chosen): void {
  const classes = argv['storage-classes']
  if (out === undefined && argv['sign-key'] !== undefined)
    throw new UsageError('--sign-key signs a saved plan; add --out FILE')
  if (offline && argv['wait-ready'] !== undefined)
    throw new UsageError('--wait-ready and --offline exclude each other: --offline sends no request')
  if (out !== undefined && emulate)
    throw new UsageError('--out and --emulate exclude each other: a private emulator ends with the run')
  if (out !== undefined && offline)
    throw new UsageError(
      '--out and --offline exclude each other: a plan made without reading the site cannot be applied',
    )
  const isInput =
    chosen.kind === 'one' ? chosen.file === '-' : chosen.candidates.some(({ file }) => file === '-')
  if (out !== undefined && isInput)
    throw new UsageError('--out needs a manifest file, which apply reads again; - is standard input')
  if (isInput && classes === '-')
    throw new UsageError('only one of the manifest and --storage-classes can be -, standard input')
  if (chosen.kind === 'many' && classes !== undefined)
    throw new UsageError('--storage-classes is for one cluster; name one manifest')
}

/** Creates the folder of the saved plans of several sites. */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (classifyPath(folder) === 'folder') return
    throw new UsageError(
      `--out for several sites is a folder: ${describeWriteFailure(toWriteError(folder, error)).message}`,
    )
  }
}

interface Planning {
  readonly ignored: ReturnType<typeof parseFields>
  readonly lifetimeMs: number
  readonly key: KeyObject | undefined
}

function planSite(
  argv: Arguments,
  { ignored, lifetimeMs, key }: Planning,
): SiteCommand<Arguments, SiteSession, PlanFormat> {
  const fileOfPlan = new Map<string, string>()
  return {
    formats: planFormats,
    open: openSession,
    async work(session, { host, file, site, stop: { signal } }): Promise<Done<PlanFormat>> {
      const out = argv.out === undefined || site === undefined ? argv.out : join(argv.out, nameFile(site))
      if (out !== undefined && site !== undefined) {
        const other = fileOfPlan.get(out)
        if (other !== undefined) return failed(refuseSecondPlan(out, other))
        fileOfPlan.set(out, file)
        // A plan of an earlier run could be mistaken for the new one.
        deleteFile(out)
      }
      const classes = await readClasses(argv['storage-classes'], host)
      if (!classes.ok) return failed(classes.error)
      const notUp = await waitUntilUp(session, host, { argv, signal })
      if (notUp !== undefined) return failed(notUp)
      const made = await planToReview(session, host, { ...argv, ignored, lifetimeMs, signal })
      if (!made.ok) return failed(made.error)
      const { plan: planned, warnings, unchecked = [] } = made.value
      const storage = reportStorage(session.manifest, planned, classes.value)
      const adopt = argv.emulate ? undefined : session.commands.adopt
      const isUnrecorded = countUnrecorded(planned.fields) > 0
      const members = {
        ...storage.members,
        ...(isUnrecorded && adopt !== undefined && { next: suggestRecord(adopt) }),
        ...(unchecked.length > 0 && { notChecked: uncheckedDocument(unchecked) }),
      }
      const view = { sections: storage.sections, unchecked, members, verbose: argv.verbose, adopt }
      const blocked = checkImmutableEdits(planned, session.commands)
      const changes = hasChanges(planned)
      const save = { ...argv, out: out ?? '', key, commands: session.commands }
      const codes = [
        blocked?.exitCode ?? exitCodes.done,
        exitCodes[chooseFindingsExit(storage.diagnostics, 'error')],
        argv['detailed-exitcode'] && needsReview(planned) ? exitCodes.changes : exitCodes.done,
      ]
      return {
        exitCode: codes.find(code => code !== exitCodes.done) ?? exitCodes.done,
        group: groupPlan(planned),
        summary: describeDecision(planned),
        brief: listActions(planned),
        warnings: [...warnings, ...storage.diagnostics],
        document: { ...buildPlanDocument(planned), ...members },
        format: (format, { paint }) => planReports[format](planned, { ...view, paint }),
        ...(out !== undefined && { save: () => savePlan(planned, save, host) }),
        ...(needsReview(planned) && { section: () => formatPlanSection(planned, { unchecked, adopt }) }),
        ci: {
          changes,
          markdown: () => planReports.markdown(planned, view),
          outputs: exitCode => formatPlanOutputs(planned, exitCode),
        },
        ...(blocked !== undefined && { failure: blocked }),
      }
    },
  }
}

/** Builds the name of the plan file of one of several sites, from its name or, if that is not unique, from its file. */
function nameFile(site: string): string {
  return `${site.replace(/\.(?:ya?ml|json)$/, '').replaceAll(/[/\\]+/g, '-')}${planEnding}`
}

/**
 * Two plans may have the same file name: a site without a unique name is saved under the name of its file, which may
 * equal another name or differ only in a slash.
 */
function refuseSecondPlan(out: string, other: string): Failure {
  return {
    exitCode: exitCodes.refused,
    message: `${display(out)} already has the plan of ${display(other)}`,
    next: ['give each manifest its own `metadata.name`'],
  }
}

interface Saving {
  readonly out: string
  readonly quiet: boolean
  readonly key: KeyObject | undefined
  readonly commands: TypedCommands
}

/** Writes a plan to its file. Returns false, and prints an error, if it cannot be written. */
async function savePlan(
  made: Plan,
  { out: file, quiet, key, commands }: Saving,
  host: Host,
): Promise<boolean> {
  const document = buildPlanDocument(made)
  const written = await tryToWrite(host, () => {
    writeWhole(file, { content: displayJson(formatSavedPlan(document)) })
    if (key !== undefined) writeSignature(file, document.id, key)
    // A signature of an earlier plan would not match.
    else deleteFile(signatureFile(file))
  })
  if (!written) return false
  const use =
    listBlockingEdits(made).length > 0
      ? `which cannot be applied: landform show ${shellWord(file)}`
      : `valid until ${made.expiresAt}: ${commands.perform(file)}`
  if (!quiet) host.stderr.print(`saved ${document.id}, ${use}\n`)
  return true
}

export const command = pair(declaration, plan)
