import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { loadManifest } from '../manifest/load-manifest.js'
import type { Source } from '../manifest/source.js'
import { validationDocument } from '../report/diagnostics-json.js'
import { formatDiagnostics } from '../report/diagnostics-text.js'
import { formatSummary } from '../report/summary.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { findingFormats } from './finding-formats.js'
import type { Host } from './host.js'
import { parseTargets } from './options.js'
import { type ColorChoice, checkReports, emit, fail, jsonText, paintFor } from './output.js'
import { readSource } from './read-source.js'
import { shownLines } from './shown-lines.js'

export interface FindingOptions {
  readonly files: readonly string[]
  readonly format: readonly string[]
  readonly 'fail-on': Diagnostic['severity']
  readonly color: ColorChoice
}

/** Checks the files, and writes what there is to say about them in every format asked for. */
export async function reportFindings(
  { files, format, 'fail-on': failOn, color }: FindingOptions,
  host: Host,
): Promise<ExitCode> {
  const targets = parseTargets(format, findingFormats)
  await checkReports(
    targets.map(({ file }) => file),
    files,
  )
  const sources: Source[] = []
  for (const file of files) {
    const reply = await readSource(host, file)
    const context = { targets, color, linesOf: () => undefined }
    if (!reply.ok) {
      const message = `the manifest ${file} ${reply.problem}`
      return fail(host, { exitCode: exitCodes.missing, message }, context)
    }
    sources.push(reply.source)
  }
  const diagnostics = sources.flatMap((source): readonly Diagnostic[] => loadManifest(source).diagnostics)
  const linesOf = shownLines(sources)
  await emit(host, targets, (name, toFile) =>
    name === 'json'
      ? jsonText(validationDocument(sources.length, diagnostics))
      : [
          ...(diagnostics.length > 0
            ? [formatDiagnostics(diagnostics, linesOf, paintFor('stdout', toFile ? 'never' : color))]
            : []),
          `${formatSummary(sources.length, diagnostics)}\n`,
        ].join('\n'),
  )
  const failed = diagnostics.some(({ severity }) => severity === 'error' || failOn === 'warning')
  return failed ? exitCodes.invalid : exitCodes.done
}
