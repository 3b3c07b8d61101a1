import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { loadManifest } from '../../manifest/load-manifest.js'
import type { Source } from '../../manifest/source.js'
import { validationDocument } from '../../report/diagnostics-json.js'
import { formatDiagnostics, formatSummary } from '../../report/diagnostics-text.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions, formatOption, parseTargets } from '../options.js'
import { checkReports, emit, fail, jsonText, paintFor } from '../output.js'
import { readSource } from '../read-source.js'
import { shownLines } from '../shown-lines.js'

const formats = ['text', 'json'] as const

/** Checks manifests. Reads the named files and nothing else: no secret, no other file, no network. */
export const validate = command({
  arguments: [{ name: 'files', many: true, describe: 'Manifests; - is standard input' }],
  options: {
    ...formatOption(formats),
    'fail-on': {
      kind: 'text',
      value: 'SEVERITY',
      choices: ['error', 'warning'],
      default: 'error',
      describe: 'Least severity that makes the check fail',
    },
    ...commonOptions,
  },
  examples: [
    ['validate site.yaml', 'check one manifest'],
    ['validate sites/*.yaml --format json=findings.json', 'check many, and keep the findings'],
  ],
  async run({ files, format, 'fail-on': failOn, color }, host) {
    const targets = parseTargets(format, formats)
    await checkReports(
      targets.map(({ file }) => file),
      files,
    )
    const sources: Source[] = []
    for (const file of files) {
      const reply = await readSource(host, file)
      const context = { targets, color, linesOf: () => undefined }
      if (!reply.ok)
        return fail(
          host,
          { exitCode: exitCodes.missing, message: `the manifest ${file} ${reply.problem}` },
          context,
        )
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
  },
})
