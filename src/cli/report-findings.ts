import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { loadManifest } from '../manifest/load-manifest.js'
import type { Source } from '../manifest/source.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { findingFormats } from './finding-formats.js'
import type { Host } from './host.js'
import { parseTargets } from './options.js'
import { type ColorChoice, checkReports, emit, fail, paintFor } from './output.js'
import { readBases } from './read-bases.js'
import { readSource } from './read-source.js'
import { shownLines } from './shown-lines.js'
import { UsageError } from './usage-error.js'
import { validationReports } from './validation-reports.js'

export interface FindingOptions {
  readonly files: readonly string[]
  readonly format: readonly string[]
  readonly 'fail-on': Diagnostic['severity']
  readonly 'max-problems': string
  readonly color: ColorChoice
}

/** Checks the files, and writes what there is to say about them in every format asked for. */
export async function reportFindings(options: FindingOptions, host: Host): Promise<ExitCode> {
  const { files, format, 'fail-on': failOn, color } = options
  const targets = parseTargets(format, findingFormats)
  const mostShown = parseMost(options['max-problems'])
  await checkReports(
    targets.map(({ file }) => file),
    files,
  )
  const sources: Source[] = []
  const diagnostics: Diagnostic[] = []
  const around: Source[] = []
  for (const file of files) {
    const reply = await readSource(host, file)
    const context = { targets, color, linesOf: () => undefined }
    if (!reply.ok) {
      const message = `the manifest ${file} ${reply.problem}`
      return fail(host, { exitCode: exitCodes.missing, message }, context)
    }
    sources.push(reply.source)
    const { bases, problem } = await readBases(reply.source, file)
    around.push(...bases)
    diagnostics.push(...(problem === undefined ? loadManifest(reply.source, bases).diagnostics : [problem]))
  }
  const findings = { files: sources.map(({ name }) => name), diagnostics }
  const view = { linesOf: shownLines([...sources, ...around]), mostShown }
  await emit(host, targets, (name, toFile) =>
    validationReports[name](findings, { ...view, paint: paintFor('stdout', toFile ? 'never' : color) }),
  )
  const failed = diagnostics.some(({ severity }) => severity === 'error' || failOn === 'warning')
  return failed ? exitCodes.invalid : exitCodes.done
}

/** Reads `--max-problems`; 0 stands for all. */
function parseMost(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--max-problems is a whole number, 0 or more')
  return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text)
}
