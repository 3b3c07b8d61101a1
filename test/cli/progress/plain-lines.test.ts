import type { ApplyEvent } from '../../../src/apply/generated/event.js'
import { notify } from '../../../src/cli/terminal/interaction.js'
import { plainLines } from '../../../src/cli/terminal/progress.js'
import { fakeHost } from '../../support/fake-host.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { virtualClock } from '../../support/virtual-clock.js'

const started = {
  type: 'action-started',
  operation: 'configure',
  change: 'create',
  reason: 'not-configured',
} as const
const finished = { type: 'action-finished', operation: 'configure' } as const
const ended = { type: 'stream-finished', outcome: { kind: 'done' } } as const

function printed(
  events: readonly ApplyEvent[],
  environment: Readonly<Record<string, string>>,
  quiet = false,
) {
  const host = fakeHost({ environment })
  const lines = plainLines(host, quiet ? 'urgent' : 'all')
  for (const event of events) lines.show(event)
  lines.end()
  return host.err()
}

describe('the lines of an action', () => {
  const words = '[+00:00] configure: create the organization. This cannot be undone or repeated\n'
  const done = '[+00:00] configure: done\n'
  const mark = (which: string) => `\x1b[0Ksection_${which}:1767323045:landform_configure\r\x1b[0K`

  test.each([
    ['fold on GitHub', { GITHUB_ACTIONS: 'true' }, `::group::configure\n${words}${done}::endgroup::\n`],
    ['fold on GitLab', { GITLAB_CI: 'true' }, `${mark('start')}configure\n${words}${done}${mark('end')}\n`],
    ['do not fold elsewhere', { CI: 'true' }, `${words}${done}`],
  ])('%s', (_name, environment, text) => {
    expect(printed([started, finished, ended], environment)).toBe(text)
  })

  test.each([[[started, ended]], [[started]]])('are unfolded after a failure (case %#)', events => {
    expect(printed(events, { GITHUB_ACTIONS: 'true' })).toBe(`::group::configure\n${words}::endgroup::\n`)
  })

  test('do not fold if little is printed', () => {
    expect(printed([started, finished, ended], { GITHUB_ACTIONS: 'true' }, true)).toBe('')
  })
})

test.each(hostileTexts)('no text of the service begins a line: %s', (_what, hostile) => {
  const stages = [{ name: hostile, state: hostile, from: hostile }]
  const text = printed(
    [
      { type: 'stages-changed', changed: stages, stages, elapsedMs: 0 },
      {
        type: 'site-said',
        message: `\n::error::${hostile}`,
        warnings: [`\r##[error]${hostile}`],
        elapsedMs: 0,
      },
      { type: 'anomaly', anomaly: { kind: 'unknown-state', state: hostile }, elapsedMs: 0 },
    ],
    { GITHUB_ACTIONS: 'true' },
  )
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^\[\+\d\d:\d\d\] \S/)
  expect(text).not.toMatch(/##\w*\[/)
})

test('a poll that hangs still leads to a heartbeat', () => {
  const host = fakeHost()
  const clock = virtualClock()
  const lines = plainLines({ ...host, clock }, 'all')
  for (let second = 0; second < 65; second += 1) {
    clock.pass(1000)
    host.tick()
  }
  expect(host.err()).toBe('[+00:31] still waiting for a response\n[+01:02] still waiting for a response\n')
  lines.end()
  host.tick()
})

describe('a notification', () => {
  test.each(hostileTexts)('has the bell and one command, whatever its text: %s', (_what, hostile) => {
    const host = fakeHost()
    notify({ ...host, stderr: { ...host.stderr, isTerminal: true } }, hostile)
    const [, text] = host.err().split('\x07')
    expect(host.err()).toBe(`\x07${text}\x07`)
    expect(text).toMatch(/^.\]9;Landform: \P{Cc}*$/u)
  })

  test('is sent to terminals only', () => {
    const host = fakeHost()
    notify(host, 'done')
    expect(host.err()).toBe('')
  })
})
