import type { Result } from 'landform'
import { type ExitCode, exitCodes, type Failure } from 'landform/cli'
import { display } from 'landform/report'
import { findSimilar, normalizeSiteUrl } from 'landform/sites'
import type { Run } from '../model/run.js'

export type SelectedSites<R> = Result<readonly R[], Failure>

type Named = Pick<Run, 'site' | 'name'>

/**
 * Selects the runs of the named sites, each once. A word is a name or an address; a name of several sites selects none of
 * them, because a command must not affect an unintended site.
 */
export function selectSites<R extends Named>(words: readonly string[], runs: readonly R[]): SelectedSites<R> {
  const chosen = new Set<R>()
  for (const word of words) {
    const found = runs.filter(run => run.site === parseAddress(word) || run.name === word)
    if (found.length === 0) return failSelection(exitCodes.missing, describeUnknownSite(word, runs))
    if (new Set(found.map(({ site }) => site)).size > 1) {
      const sites = found.map(({ site }) => display(site)).join(', ')
      return failSelection(
        exitCodes.usage,
        `several sites are named ${display(word)}; select one by its address: ${sites}`,
      )
    }
    for (const run of found) chosen.add(run)
  }
  return { ok: true, value: [...chosen] }
}

function failSelection(exitCode: ExitCode, message: string): SelectedSites<never> {
  return { ok: false, error: { exitCode, message, next: 'landform fleet status' } }
}

function describeUnknownSite(word: string, runs: readonly Named[]): string {
  const meant = findSimilar(word, [...new Set(runs.flatMap(({ name, site }) => [name, site]))])
  const hint = meant === undefined ? '' : `; did you mean ${display(meant)}?`
  return `this fleet has no site ${display(word)}${hint}`
}

function parseAddress(word: string): string | undefined {
  return URL.canParse(word) ? normalizeSiteUrl(word) : undefined
}
