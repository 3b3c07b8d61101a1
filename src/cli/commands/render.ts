import { loadWithBases } from '../../library/load-with-bases.js'
import { renderedValue, renderManifest } from '../../manifest/render-manifest.js'
import { displayJson } from '../../report/display.js'
import { formatRequests } from '../../report/wire-text.js'
import { command } from '../command.js'
import { exitCodeOfFindings, exitCodes } from '../exit-code.js'
import { commonOptions } from '../options.js'
import { fail, jsonText } from '../output.js'
import { readSource } from '../read-source.js'
import { shownLines } from '../shown-lines.js'
import { shownRequests } from '../shown-requests.js'
import { UsageError } from '../usage-error.js'
import { manifestArgument } from '../with-session.js'

/** Prints what a manifest and what it builds on make together, or the requests it becomes. Reads no secret. */
export const render = command({
  arguments: [manifestArgument],
  options: {
    origins: { kind: 'flag', describe: 'Say of each value in which file and line it was written' },
    wire: { kind: 'flag', describe: 'Print the requests that apply would send, with secrets masked' },
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: ['yaml', 'json'],
      default: 'yaml',
      describe: 'Output',
    },
    ...commonOptions,
  },
  examples: [
    ['render envs/production/site.yaml', 'see what all the files make together'],
    ['render site.yaml --wire', 'see what the service would get'],
  ],
  async run({ file, wire, origins, format, color }, host) {
    if ((wire && origins) || (format === 'json' && (wire || origins)))
      throw new UsageError('--wire, --origins and --format json exclude each other')
    const context = { targets: [], color, linesOf: () => undefined }
    const reply = await readSource(host, file)
    if (!reply.ok) return fail(host, reply.failure, context)
    const { source } = reply
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
  },
})
