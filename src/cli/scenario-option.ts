import { type ScenarioName, scenarios } from '../emulator/scenarios/scenarios.js'
import type { Options } from './command.js'

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[]

/** The option of every command that can start an emulator. */
export const scenarioOption = {
  scenario: {
    kind: 'list',
    value: 'NAME|FILE',
    suggests: scenarioNames,
    describe: 'What goes wrong in the emulator, several times; `landform emulate --help` lists the names',
  },
} as const satisfies Options
