import { scenarioNames } from '../../src/emulator/scenarios/scenarios.js'
import { scenarioNames as offered } from '../../src/schema/scenario-schema.js'

test('editors offer the scenarios that the emulator has', () => {
  expect(offered).toEqual(scenarioNames)
})
