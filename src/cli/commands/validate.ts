import { findCleanFiles } from '../../library/clean-files.js'
import { readCleanValue } from '../../manifest/quick-check.js'
import { findNamesakes } from '../../manifest/site-identity.js'
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
  const quick = isPlain ? await checkQuickly(argv.files) : undefined
  if (quick?.areAll === true) {
    host.stdout.print(`${formatSummary(quick.sites, [], quick.clean.size - quick.sites)}\n`)
    return exitCodes.done
  }
  // The code that finds places and formats diagnostics is loaded only where there are some.
  const { reportFindings } = await import('../check/report-findings.js')
  return reportFindings(argv, host, { check: readCleanValue, isTaken: isPlain, clean: quick?.clean })
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

/** Finds the files without findings; `undefined` where a file can be read only once, or there is nothing to check. */
async function checkQuickly(words: readonly string[]) {
  const { candidates, problem } = await expandFiles(words)
  const isPipe = candidates.some(({ file, how }) => how === 'named' && classifyPath(file) !== 'file')
  if (problem !== undefined || isPipe) return undefined
  const clean = findCleanFiles(candidates)
  const identities = [...clean.values()].filter(one => one !== 'skipped')
  if (identities.length === 0) return undefined
  const areAll = clean.size === candidates.length && findNamesakes(identities).size === 0
  return { clean, sites: identities.length, areAll }
}
