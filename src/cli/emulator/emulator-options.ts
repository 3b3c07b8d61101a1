import { findStage, type StageName, stageNames } from '../../contract/stages.js'
import {
  includes,
  newestReportedVersion,
  newestVersion,
  oldestVersion,
  parseVersion,
  type ServiceVersion,
} from '../../contract/versions.js'
import { whereNames } from '../../emulator/faults/notation.js'
import { requestWords } from '../../emulator/faults/request-words.js'
import { siteWords } from '../../emulator/faults/site-words.js'
import type { Fidelity } from '../../emulator/field/field-world.js'
import { scenarioNames, scenarios } from '../../emulator/scenarios/scenarios.js'
import type { StageTimes } from '../../emulator/service/durations.js'
import { findSimilar } from '../../manifest/did-you-mean.js'
import { UsageError } from '../exit-code.js'
import { parseDuration } from '../options.js'

/** `TIME` for all stages, or `STAGE=TIME` for some; stage names as answers spell them, in any case. */
export function parseStageTimes(words: readonly string[]): StageTimes {
  const entries = words.flatMap((word): readonly (readonly [StageName, number])[] => {
    const [text = '', ...names] = word.split('=').reverse()
    const ms = parseDuration('stage-time', text)
    if (names.length === 0) return stageNames.map(name => [name, ms])
    const stage = findStage(names.reverse().join('='))
    if (stage === undefined) {
      const meant = findSimilar(names.join('='), stageNames)
      const choices = meant === undefined ? `stages: ${stageNames.join(', ')}` : `did you mean ${meant}?`
      throw new UsageError(`--stage-time ${JSON.stringify(word)}: unknown stage; ${choices}`)
    }
    return [[stage, ms]]
  })
  return Object.fromEntries(entries) as StageTimes
}

/** A factor such as `60x`, from a thousandth to a million. */
export function parseSpeed(text: string): number {
  const speed = /^\d{1,7}(?:\.\d{1,3})?x?$/.test(text) ? Number.parseFloat(text) : 0
  if (speed < 0.001 || speed > 1_000_000)
    throw new UsageError(`--speed must be a factor such as 60x, not ${JSON.stringify(text)}`)
  return speed
}

/** A version that the emulator can play: those of the document, or with field fidelity what is reported, too. */
export function findEmulatedVersion(text: string, fidelity: Fidelity): ServiceVersion | undefined {
  const version = parseVersion(text)
  if (version === undefined || !includes(version, oldestVersion)) return undefined
  return includes(findNewestVersion(fidelity), version) ? version : undefined
}

/** Describes the range of these versions; `remedy` says how to enable field fidelity. */
export function describeEmulatedVersions(fidelity: Fidelity, remedy: string): string {
  const further = fidelity === 'field' ? '' : `, or to ${newestReportedVersion} with ${remedy}`
  return `from ${oldestVersion} to ${findNewestVersion(fidelity)}${further}`
}

/** The value of `--service-version`. */
export function parseEmulatedVersion(text: string, fidelity: Fidelity): ServiceVersion {
  const version = findEmulatedVersion(text, fidelity)
  if (version !== undefined) return version
  throw new UsageError(
    `--service-version must be a version ${describeEmulatedVersions(fidelity, '--fidelity field')}`,
  )
}

function findNewestVersion(fidelity: Fidelity): ServiceVersion {
  return fidelity === 'field' ? newestReportedVersion : newestVersion
}

/** The lists in the help of `emulate`: scenarios, and the notation of faults. */
export const scenarioHelp = [
  ['Scenarios', scenarioNames.map(name => [name, scenarios[name].summary] as const)],
  [
    'Faults are written WHERE[@WHEN]=WHAT; the first that matches applies',
    [
      ['WHERE', `${whereNames.slice(0, -1).join(', ')}, or ${whereNames.at(-1)}`],
      ['@WHEN', 'calls: 3, 2-4, 5- or 30%; from a place on: a stage, ready, or 90s; and +TIME ends that'],
    ],
  ],
  ['What goes wrong with a request', Object.values(requestWords).map(toHelpLine)],
  ['What goes wrong with the site, site[@WHEN]=WHAT', Object.values(siteWords).map(toHelpLine)],
] as const

function toHelpLine({ form, meaning }: { readonly form: string; readonly meaning: string }) {
  return [form, meaning] as const
}
