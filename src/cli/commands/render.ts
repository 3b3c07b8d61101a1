import { loadWithBases } from '../../library/load-with-bases.js'
import { renderedValue, renderManifest } from '../../manifest/render-manifest.js'
import { displayJson } from '../../report/display.js'
import { formatRequests } from '../../report/wire-text.js'
import { readSource } from '../check/read-source.js'
import { shownLines } from '../check/shown-lines.js'
import type { ArgumentsOf } from '../command.js'
import type { render as declaration } from '../declarations/manifests.js'
import type { ExitCode } from '../exit-code.js'
import { exitCodeOfFindings, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { shownRequests } from '../site/shown-requests.js'
import { fail, jsonText } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'

/** Prints what a manifest and what it builds on make together, or the requests it becomes. Reads no secret. */
export async function render(
  { file, wire, origins, format, color }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  if ((wire && origins) || (format === 'json' && (wire || origins)))
    throw new UsageError('--wire, --origins and --format json exclude each other')
  const context = { targets: [], color, linesOf: () => undefined }
  const reply = await readSource(host, file)
  if (!reply.ok) return fail(host, reply.error, context)
  const { value: source } = reply
  const { sources, loaded } = await loadWithBases(source, file)
  // Only what is valid is printed: what is not may hold a secret in the wrong place.
  if (!loaded.ok) {
    const { diagnostics } = loaded
    const message = `the manifest ${source.name} is not valid`
    const failure = { exitCode: exitCodeOfFindings(diagnostics, 'error'), message, diagnostics }
    return fail(host, failure, { ...context, linesOf: shownLines(sources) })
  }
  if (wire) host.stdout.write(formatRequests(shownRequests(loaded.value)))
  else if (format === 'json') host.stdout.write(jsonText(renderedValue(sources)))
  else host.stdout.write(displayJson(renderManifest(sources, origins)))
  return exitCodes.done
}
