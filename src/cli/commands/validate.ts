import { isClean } from '../../manifest/quick-check.js'
import { formatSummary } from '../../report/summary.js'
import { command } from '../command.js'
import { exitCodes } from '../exit-code.js'
import { findingFormats } from '../finding-formats.js'
import type { Host } from '../host.js'
import { commonOptions, formatOption } from '../options.js'
import { readSource } from '../read-source.js'

/** Checks manifests. Reads the named files and nothing else: no secret, no other file, no network. */
export const validate = command({
  arguments: [{ name: 'files', many: true, describe: 'Manifests; - is standard input' }],
  options: {
    ...formatOption(findingFormats),
    'fail-on': {
      kind: 'text',
      value: 'SEVERITY',
      choices: ['error', 'warning'],
      default: 'error',
      describe: 'Least severity that makes the check fail',
    },
    'max-problems': {
      kind: 'text',
      value: 'N',
      default: '100',
      describe: 'Most problems to show as text and on GitHub; 0 shows all',
    },
    ...commonOptions,
  },
  examples: [
    ['validate site.yaml', 'check one manifest'],
    ['validate sites/*.yaml --format json=findings.json', 'check many, and keep the findings'],
    ['validate site.yaml --format github --format sarif=findings.sarif', 'check in a CI job'],
  ],
  async run(argv, host) {
    const { files, format } = argv
    if (format.join() === 'text' && argv['max-problems'] === '100' && (await areClean(files, host))) {
      host.stdout.write(`${formatSummary(files.length, [])}\n`)
      return exitCodes.done
    }
    // What finds places, explains and draws is loaded only where there is something to say.
    const { reportFindings } = await import('../report-findings.js')
    return reportFindings(argv, host)
  },
})

/** True when there is nothing to say of these files. Standard input can be read only once, so it is not looked at. */
async function areClean(files: readonly string[], host: Host): Promise<boolean> {
  for (const file of files) {
    if (file === '-') return false
    const reply = await readSource(host, file)
    if (!reply.ok || !isClean(reply.source)) return false
  }
  return true
}
