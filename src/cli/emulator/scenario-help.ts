import { whereNames } from '../../emulator/faults/notation.js'
import { requestWords } from '../../emulator/faults/request-words.js'
import { siteWords } from '../../emulator/faults/site-words.js'
import { scenarioNames, scenarios } from '../../emulator/scenarios/scenarios.js'

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
  ['Faults of a request', Object.values(requestWords).map(toHelpLine)],
  ['Faults of the site, site[@WHEN]=WHAT', Object.values(siteWords).map(toHelpLine)],
] as const

function toHelpLine({ form, meaning }: { readonly form: string; readonly meaning: string }) {
  return [form, meaning] as const
}
