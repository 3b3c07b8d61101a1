import { dirname } from 'node:path'
import { policyFinder } from '../../library/policy-files.js'
import { looksLikeManifest } from '../../manifest/looks-like-manifest.js'
import { readCleanValue, readSite } from '../../manifest/quick-check.js'
import { formatSummary } from '../../report/summary.js'
import type { JsonObject } from '../../schema/json-schema.js'
import { classifyPath, expandFiles } from '../check/expand-files.js'
import { readSource } from '../check/read-source.js'
import type { ArgumentsOf } from '../command.js'
import { type validate as declaration, maxShown } from '../declarations/manifests.js'
import type { ExitCode } from '../exit-code.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'

/** Checks manifests. Reads the named files and what they build on: no secret unless asked, no network. */
export async function validate(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { format, 'max-problems': max, ...others } = argv
  const isPlain = format.join() === 'text' && max === maxShown && !asksForMore(others)
  const clean = isPlain ? await cleanFiles(argv.files, host) : undefined
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

/**
 * Counts the files if none has findings; `undefined` where a closer check is needed, also of the rules of a team.
 * Standard input and pipes can be read only once, so they are not read here.
 */
async function cleanFiles(
  words: readonly string[],
  host: Host,
): Promise<{ readonly files: number; readonly skipped: number } | undefined> {
  let [files, skipped] = [0, 0]
  const sites = new Set<string>()
  const policiesOf = policyFinder()
  const { candidates, problem } = await expandFiles(words)
  for (const { file, how } of problem === undefined ? candidates : []) {
    if (how === 'named' && classifyPath(file) !== 'file') return undefined
    const reply = await readSource(host, file)
    if (!reply.ok) return undefined
    if (how === 'found' && !looksLikeManifest(reply.value)) skipped += 1
    else {
      const value = readCleanValue(reply.value)
      if (value === undefined || policiesOf(dirname(file)).length > 0 || isRepeatedSite(value, sites))
        return undefined
      files += 1
    }
  }
  return files === 0 ? undefined : { files, skipped }
}

/** True where an earlier manifest has the same address, or keeps its state under the same name; records both. */
function isRepeatedSite(value: JsonObject, sites: Set<string>): boolean {
  const { name, url, state } = readSite(value)
  const own = [url, ...(state === undefined ? [] : [`${name} ${state}`])]
  const isKnown = own.some(one => sites.has(one))
  for (const one of own) sites.add(one)
  return isKnown
}
