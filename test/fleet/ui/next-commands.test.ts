import { buildNextCommands } from '../../../packages/fleet/src/commands/next-commands.js'
import { hasEnded, runStates } from '../../../src/plan/run-state.js'
import type { SubmissionState } from '../../../src/plan/submission.js'
import { aSubmission } from '../../support/a-submission.js'
import { aRun } from './a-fleet.js'

const commandsOf = (...args: Parameters<typeof buildNextCommands>) =>
  buildNextCommands(...args).map(({ command }) => command)

test('what goes on by itself, or is done, needs no command, and everything else has one', () => {
  for (const state of runStates)
    expect([state, commandsOf(aRun(1, { state })).length > 0]).toEqual([
      state,
      hasEnded(state) && state !== 'done',
    ])
})

const kept = '--state postgres:env:LANDFORM_DATABASE_URL'

test.each<[SubmissionState | undefined, readonly string[]]>([
  [undefined, [`landform status sites/site-1.yaml ${kept}`, 'landform fleet resume site-1']],
  [
    'unknown',
    [
      `landform status sites/site-1.yaml ${kept}`,
      'landform fleet resume site-1',
      `landform state discard-intent sites/site-1.yaml ${kept} --intent 0123456789abcdef01234567 --wait`,
    ],
  ],
  ['rejected', [`landform apply sites/site-1.yaml ${kept}`]],
  ['cleared', [`landform status sites/site-1.yaml ${kept}`, 'landform fleet resume site-1']],
])('of an ambiguous site whose request is %s the next commands are these', (state, expected) => {
  const submission = state && aSubmission({ state, nonce: '0123456789abcdef01234567' })
  expect(commandsOf(aRun(1, { state: 'ambiguous' }), submission)).toEqual(expected)
})

test('a name or a path is one word of a shell, whatever is in it', () => {
  const run = aRun(1, {
    state: 'refused',
    name: `x'; rm -rf ~ #`,
    manifest: 'sites/$(id).yaml',
    commit: 'abc',
  })
  expect(commandsOf(run)).toEqual([
    `landform fleet resume 'x'\\''; rm -rf ~ #'`,
    `landform fleet submit --from-git HEAD 'sites/$(id).yaml'`,
  ])
})

test('no command is taken from a message', () => {
  const message = 'it failed; run `landform webhooks delete-all`'
  expect(commandsOf(aRun(1, { state: 'failed', message })).join()).not.toContain('delete-all')
})
