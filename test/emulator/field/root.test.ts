import type { ServiceVersion } from '../../../src/contract/versions.js'
import { root } from '../../../src/emulator/field/route.js'
import { buildResponse } from '../../../src/emulator/service/answers.js'
import type { Handler } from '../../../src/emulator/service/world.js'
import { aConfigure, anUpdate, ask, begin, outcome } from '../service/builders.js'
import { aBegunSite, aFieldWorld, afterStage, aGet, aToken, readyAt, statusAt } from './builders.js'

test('before a configuration the root resource reports that state, without a message and without stages', () => {
  expect(ask(aFieldWorld(), aGet('')).body).toEqual({
    fullVersion: '11.2.0',
    resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services', 'jobs'],
    currentVersion: 11.2,
    status: { state: 'not_configured' },
    info: { build: '11.2.0.0' },
  })
})

test.each<[ServiceVersion, string]>([
  ['11.3', '11.3.0.5814'],
  ['11.4', '11.4.0.6285'],
  ['12.1', '12.1.0.8325'],
  ['11.1', '11.1.0.0'],
])('version %s has the build %s', (version, build) => {
  expect(ask(aFieldWorld({ version }), aGet('')).body['info']).toEqual({ build })
})

const namesIn = (status: unknown) =>
  (status as { stages: readonly { name: string }[] }).stages.map(({ name }) => name)

test('the immediate response is the documented one, and the stages have other capitals until the last has ended', () => {
  const immediate = ask(aFieldWorld(), aConfigure()).body['status']
  expect(immediate).toMatchObject({ state: 'in_progress', warnings: [] })
  expect(namesIn(immediate)).toEqual(expect.arrayContaining(['Configuration store', 'Queue store']))
  const running = statusAt(aBegunSite(), begin + 150)
  expect(running).toMatchObject({ state: 'in_progress', warnings: [] })
  expect(namesIn(running)).toEqual(expect.arrayContaining(['Configuration Store', 'Queue Store']))
  expect(namesIn(running)).toHaveLength(14)
  expect(namesIn(statusAt(aBegunSite(), readyAt))).toEqual(expect.arrayContaining(['Configuration store']))
})

test.each([
  [begin, 'in_progress'],
  [afterStage(14) - 1, 'in_progress'],
  [afterStage(14), 'configured'],
  [readyAt - 1, 'configured'],
  [readyAt, 'ready'],
])('at %d the site is %s', (now, state) => {
  expect(statusAt(aBegunSite(), now)).toMatchObject({ state, message: expect.any(String) })
})

test('a site that is configured but not ready accepts no policy and no second configuration', () => {
  const world = aBegunSite()
  const token = aToken(world, readyAt)
  const refused = '400 The site is not ready.'
  expect(outcome(ask(world, anUpdate({ token }), readyAt - 1))).toBe(refused)
  expect(outcome(ask(world, anUpdate({ token }), readyAt))).toBe('accepted')
  const again = '400 The site is already configured.'
  expect(outcome(ask(world, aConfigure(), readyAt - 1))).toBe(again)
  expect(outcome(ask(world, aConfigure(), readyAt))).toBe(again)
})

test('the message of a failed site is shown, with its stages as they are spelled in progress', () => {
  const status = { state: 'failed', message: 'No.', warnings: [] }
  const stages = [{ name: 'Queue store', state: 'failed', startTime: 1, lastUpdated: 2 }]
  const documented: Handler = (world, request) => [
    world,
    buildResponse(request, { fullVersion: '11.2.0', status: { ...status, stages } }),
  ]
  const [, response] = root(documented)(aFieldWorld(), aGet(''), begin)
  expect(response.body['status']).toEqual({ ...status, stages: [{ ...stages[0], name: 'Queue Store' }] })
})
