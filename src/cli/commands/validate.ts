import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  findIntroduction,
  findSchemaVersion,
  manifestVersions,
  parseVersion,
  type ServiceVersion,
} from '../../contract/versions.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { chooseFindingsExit, removeRepeats } from '../../report/findings.js'
import { type CheckedFile, type CheckedFiles, checkFiles } from '../check/check-files.js'
import { expandFiles } from '../check/expand-files.js'
import { applyFixes, type FixedFile, formatPatch, writeFixed } from '../check/fix-files.js'
import { printSkipped } from '../check/found-files.js'
import { redactLines } from '../check/read-source.js'
import { validationReports } from '../check/validation-reports.js'
import { type ArgumentsOf, declare, flag, list, pair, text } from '../command.js'
import {
  commonOptions,
  findingFormats,
  formatOption,
  namesSkipped,
  policyOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import { emit, paintFor } from '../terminal/output.js'
import { withOpened } from '../with-opened.js'

/** The default of `--max-problems`. */
const maxShown = '100'

const declaration = declare({
  name: 'validate',
  aliases: ['lint', 'check'],
  describe: 'Check manifests; needs no network, no secrets and no site',
  touches: 'nothing',
  arguments: [
    { name: 'files', many: true, describe: 'Manifests, policies, folders or patterns; - is standard input' },
  ],
  options: {
    ...formatOption(findingFormats),
    'fail-on': text('SEVERITY', 'Lowest severity that fails the check', {
      choices: ['error', 'warning'],
      default: 'error',
    }),
    'service-version': list('V[,V…]', 'Also check against other service versions', {
      suggests: manifestVersions,
    }),
    ...policyOption,
    'check-secrets': flag('Also resolve the references to secrets and files'),
    fix: flag('Apply every fix that is unambiguous'),
    'dry-run': flag('With --fix: only print the changes'),
    'stdin-filename': text('FILE', 'File name to assume for standard input'),
    'max-problems': text('N', 'Maximum number of problems to show as text and on GitHub; 0 shows all', {
      default: maxShown,
    }),
    verbose: flag(`Also ${namesSkipped}`, 'v'),
    ...commonOptions,
  },
  examples: [
    ['validate site.yaml', 'check one manifest'],
    ['validate sites', 'check every manifest in a folder'],
    ['validate sites --fix --dry-run', 'see what is fixable'],
    ['validate site.yaml --service-version 11.1,11.2', 'compare two service versions'],
    ['validate site.yaml --format github --format sarif=findings.sarif', 'check in a CI job'],
  ],
})

type FindingOptions = ArgumentsOf<typeof declaration>

/** Checks manifests. Reads the named files and their bases. Reads secrets only on request, and never uses the network. */
async function validate(options: FindingOptions, host: Host): Promise<ExitCode> {
  const { color, fix, 'fail-on': failOn, 'dry-run': dryRun } = options
  const maxShown = parseMaxProblems(options['max-problems'])
  const checking = {
    versions: parseVersions(options['service-version']),
    checkSecrets: options['check-secrets'],
    stdinName: stdinNameIn(options),
    policies: options.policy,
  }
  refuseFixing(options)
  const { candidates, problem } = await expandFiles(options.files)
  return withOpened(options, host, {
    formats: findingFormats,
    reads: [...candidates.map(({ file }) => file), ...options.policy],
    async open() {
      if (problem !== undefined)
        return { ok: false, error: { failure: { exitCode: exitCodes.missing, message: problem } } }
      const checked = await checkFiles(candidates, host, checking)
      return toSession(checked)
    },
    async work({ session, targets, refuse }) {
      let { checked } = session
      if (fix && dryRun) await showFixes(checked.files, host)
      else if (fix) {
        const { made, problem: unmade } = makeFixes(checked.files, host)
        if (unmade !== undefined) return refuse({ exitCode: exitCodes.state, message: unmade })
        const again = made > 0 ? await checkFiles(candidates, host, checking) : undefined
        if (again?.ok === false) return refuse(again.error)
        checked = again?.value ?? checked
      }
      const { files, skipped } = checked
      if (options.verbose) printSkipped(skipped, host)
      const diagnostics = removeRepeats(files.flatMap(one => one.diagnostics))
      const versions = files.flatMap(one => one.versions.map(findings => ({ file: one.file, ...findings })))
      const findings = {
        files: files.map(({ file }) => file),
        diagnostics,
        skipped: skipped.length,
        versions,
      }
      const view = { readLines: redactLines(files.flatMap(({ sources }) => sources)), maxShown }
      const inPlaceOfDiff = fix && dryRun ? targets.filter(({ file }) => file !== undefined) : targets
      const written = await emit(host, inPlaceOfDiff, (name, toFile) =>
        validationReports[name](findings, { ...view, paint: paintFor('stdout', toFile ? 'never' : color) }),
      )
      if (!written) return exitCodes.state
      return exitCodes[
        chooseFindingsExit([...diagnostics, ...versions.flatMap(one => one.diagnostics)], failOn)
      ]
    },
  })
}

function toSession({ inputs, ...checked }: CheckedFiles) {
  if (!checked.ok) return { ok: false, error: { failure: checked.error, inputs } } as const
  const session = { checked: checked.value, inputs, readLines: () => undefined, close: async () => undefined }
  return { ok: true, value: session } as const
}

/** Prints what `--fix` would change. */
async function showFixes(files: readonly CheckedFile[], host: Host): Promise<void> {
  const changes = files.flatMap(file => applyFixes(file) ?? [])
  // Otherwise nothing would explain the exit code.
  if (changes.length === 0 && files.some(({ diagnostics }) => diagnostics.length > 0))
    host.stderr.print('would fix nothing; `landform validate` shows the problems\n')
  for (const change of changes) {
    const { text, fits } = await formatPatch(change)
    host.stdout.write(text)
    host.stderr.print(`would fix ${describeCount(change)}\n`)
    if (!fits)
      host.stderr.print(
        'note: `git apply` rejects this patch, because a changed line cannot be printed exactly; run `--fix` instead\n',
      )
  }
}

/** Applies the fixes, and counts them; stops at the first file that is not a regular one. */
function makeFixes(
  files: readonly CheckedFile[],
  host: Host,
): { readonly made: number; readonly problem?: string } {
  const changes = files.flatMap(file => applyFixes(file) ?? [])
  for (const change of changes) {
    const { name } = change.before
    if (!writeFixed(name, change))
      return { made: 0, problem: `the manifest ${display(name)} is not a regular file` }
    host.stderr.print(`fixed ${describeCount(change)}\n`)
  }
  return { made: changes.length }
}

function describeCount({ before, fixes: { length } }: FixedFile): string {
  return `${length} ${length === 1 ? 'problem' : 'problems'} in ${display(before.name)}`
}

function refuseFixing({ fix, files, 'dry-run': dryRun }: FindingOptions): void {
  if (dryRun && !fix) throw new UsageError('--dry-run needs --fix: validate alone changes nothing')
  if (fix && !dryRun && files.includes('-'))
    throw new UsageError('--fix needs a file to write to; --fix --dry-run prints the changes')
}

function stdinNameIn({ files, 'stdin-filename': name }: FindingOptions): string | undefined {
  if (name === undefined) return undefined
  if (!files.includes('-')) throw new UsageError('--stdin-filename needs - (standard input) among the files')
  if (!existsSync(dirname(name))) throw new UsageError(`the folder ${dirname(name)} does not exist`)
  return name
}

function parseVersions(values: readonly string[]): readonly ServiceVersion[] {
  const texts = values.flatMap(value => value.split(',')).map(text => text.trim())
  return [...new Set(texts)].map(text => {
    const version = parseVersion(text)
    if (version === undefined) throw new UsageError(`${JSON.stringify(text)} is not a version such as 11.2`)
    if (findSchemaVersion(version) === undefined)
      throw new UsageError(
        `service version ${version} has no configure: it was added in ${findIntroduction('configure')}`,
      )
    return version
  })
}

/** Reads `--max-problems`; 0 means all. */
function parseMaxProblems(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--max-problems must be a whole number, 0 or more')
  return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text)
}

export const command = pair(declaration, validate)
