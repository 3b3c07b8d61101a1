import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { manifestVersions } from '../../contract/versions.js'
import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { chooseFindingsExit, removeRepeats } from '../../report/findings.js'
import { formatNumber } from '../../report/phrase.js'
import { type CheckedFile, checkFiles } from '../check/check-files.js'
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
import { parseManifestVersion } from '../options.js'
import { emit, paintFor } from '../terminal/output.js'
import { withOpened } from '../with-opened.js'

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
      default: '100',
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
  const { color, fix, 'fail-on': failOn, 'dry-run': dryRun, 'max-problems': limit } = options
  if (!/^\d{1,9}$/.test(limit)) throw new UsageError('--max-problems must be a whole number, 0 or more')
  const maxShown = Number(limit) || Number.POSITIVE_INFINITY
  const asked = options['service-version'].flatMap(value => value.split(',')).map(text => text.trim())
  const checking = {
    versions: [...new Set(asked)].map(text => parseManifestVersion(text).version),
    checkSecrets: options['check-secrets'],
    stdinName: stdinNameIn(options),
    policies: options.policy,
  }
  if (dryRun && !fix) throw new UsageError('--dry-run needs --fix: validate alone changes nothing')
  if (fix && !dryRun && options.files.includes('-'))
    throw new UsageError('--fix needs a file to write to; --fix --dry-run prints the changes')
  const { candidates, problem } = await expandFiles(options.files)
  return withOpened(options, host, {
    formats: findingFormats,
    reads: [...candidates.map(({ file }) => file), ...options.policy],
    async open() {
      if (problem !== undefined)
        return { ok: false, error: { failure: { exitCode: exitCodes.missing, message: problem } } }
      const { inputs, ...reply } = await checkFiles(candidates, host, checking)
      if (!reply.ok) return { ok: false, error: { failure: reply.error, inputs } }
      return { ok: true, value: { checked: reply.value, inputs } }
    },
    async work({ session, targets, refuse }) {
      let { checked } = session
      const changes = fix ? checked.files.flatMap(file => applyFixes(file) ?? []) : []
      if (fix && dryRun) await showFixes(changes, checked.files, host)
      else if (changes.length > 0) {
        for (const change of changes) {
          const { name } = change.before
          if (!writeFixed(name, change)) {
            const message = `the manifest ${display(name)} is not a regular file`
            return refuse({ exitCode: exitCodes.state, message })
          }
          host.stderr.print(`fixed ${describeCount(change)}\n`)
        }
        const again = await checkFiles(candidates, host, checking)
        if (!again.ok) return refuse(again.error)
        checked = again.value
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

/** Prints what `--fix` would change. */
async function showFixes(
  changes: readonly FixedFile[],
  files: readonly CheckedFile[],
  host: Host,
): Promise<void> {
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

function describeCount({ before, fixes: { length } }: FixedFile): string {
  return `${formatNumber(length, 'problem')} in ${display(before.name)}`
}

function stdinNameIn({ files, 'stdin-filename': name }: FindingOptions): string | undefined {
  if (name === undefined) return undefined
  if (!files.includes('-')) throw new UsageError('--stdin-filename needs - (standard input) among the files')
  if (!existsSync(dirname(name))) throw new UsageError(`the folder ${dirname(name)} does not exist`)
  return name
}

export const command = pair(declaration, validate)
