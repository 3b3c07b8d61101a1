import {
  type CleanFiles,
  checkShare,
  joinShares,
  type SharedFiles,
  shareFiles,
} from '../../library/clean-files.js'
import { readCleanValue } from '../../manifest/quick-check.js'
import { formatSummary } from '../../report/summary.js'
import { classifyPath, expandFiles } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import { type validate as declaration, maxShown } from '../declarations/manifests.js'
import type { ExitCode } from '../exit-code.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'

/** Checks manifests. Reads the named files and what they build on: no secret unless asked, no network. */
export async function validate(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { format, 'max-problems': max, ...others } = argv
  const isPlain = format.join() === 'text' && max === maxShown && !asksForMore(others)
  const clean = isPlain ? await countCleanFiles(argv.files, host) : undefined
  if (clean !== undefined) {
    host.stdout.print(`${formatSummary(clean.files, [], clean.skipped)}\n`)
    return exitCodes.done
  }
  // The code that finds places and formats diagnostics is loaded only where there are some.
  const { reportFindings } = await import('../check/report-findings.js')
  return reportFindings(argv, host, { check: readCleanValue, isTaken: isPlain })
}

interface Extras {
  readonly fix: boolean
  readonly 'dry-run': boolean
  readonly 'check-secrets': boolean
  readonly 'service-version': readonly string[]
  readonly policy: readonly string[]
  readonly 'stdin-filename': string | undefined
}

function asksForMore(argv: Extras): boolean {
  const { fix, 'dry-run': dryRun, 'check-secrets': checkSecrets, 'service-version': versions, policy } = argv
  return (
    fix ||
    dryRun ||
    checkSecrets ||
    versions.length + policy.length > 0 ||
    argv['stdin-filename'] !== undefined
  )
}

/** From so many files on, starting a thread costs less than it saves. */
const fewestForThreads = 3000

/** Counts the files if none has findings; `undefined` where a closer check is needed. */
async function countCleanFiles(words: readonly string[], host: Host): Promise<CleanFiles | undefined> {
  const { candidates, problem } = await expandFiles(words)
  // Standard input and pipes can be read only once, so they are not read here.
  const isPipe = candidates.some(({ file, how }) => how === 'named' && classifyPath(file) !== 'file')
  if (problem !== undefined || isPipe) return undefined
  const shared = shareFiles(candidates)
  const others =
    candidates.length < fewestForThreads ? [] : await host.startThreads<SharedFiles, CleanFiles>(shared)
  const own = checkShare(shared)
  return joinShares([own, ...(await Promise.all(others))])
}
