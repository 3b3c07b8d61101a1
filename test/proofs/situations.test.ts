import { type Cleared, clearSubmission } from '../../src/apply/clear-submission.js'
import { buildSubmissionEntry } from '../../src/apply/journal.js'
import { nextCommands } from '../../src/cli/site/next-commands.js'
import type { ServiceFailure } from '../../src/client/failure.js'
import type { ConfigureCall, SiteWriter } from '../../src/client/site-client.js'
import type { Observation } from '../../src/plan/observation.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { endOfClearing } from '../../src/report/endings/cleared.js'
import { toFailure } from '../../src/report/endings/problems.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { stateStore } from '../../src/state/state-store.js'
import { aLock, aSubmission } from '../support/a-submission.js'
import { scriptedSite } from '../support/applying.js'
import { statePortsFor } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'
import { desired, oneRun, type RunPorts } from './sim/one-run.js'
import { type Journal, journals } from './sim/situation-table.js'

const failures = {
  unreachable: { kind: 'not-sent', cause: 'connection', reason: 'refused' },
  'without a token': { kind: 'unauthorized', status: 200, code: 499, message: 'token' },
} as const satisfies Readonly<Record<string, ServiceFailure>>

type SiteKind = Observation['kind'] | keyof typeof failures

/** A site that changes only by requests; a configuration that is in progress becomes ready soon. */
function siteThatIs(kind: SiteKind): SiteWriter {
  let now = kind
  let looks = 0
  const observe: SiteWriter['observe'] = async () => {
    if (now === 'unreachable' || now === 'without a token') return { ok: false, error: failures[now] }
    if (now === 'in-progress' && looks > 3) now = 'ready'
    looks += 1
    return { ok: true, value: { kind: now, state: 'upside_down', warnings: [], stages: [] } as Observation }
  }
  return scriptedSite([], {
    observe,
    async openConfigure(_organization, _secrets, signal) {
      const look = await observe(signal)
      if (!look.ok) return look
      const send: ConfigureCall['send'] = async () => {
        now = 'in-progress'
        return { ok: true, value: { kind: now, warnings: [], stages: [] } }
      }
      return { ok: true, value: { observed: look.value, deadlineMs: 1, send, discard: () => undefined } }
    },
  })
}

const organization = { ...aSubmission().organization, value: desired.organization }

/** The ports of a run whose predecessor has died. */
async function portsAfter(journal: Journal, site: SiteKind): Promise<RunPorts> {
  const clock = virtualClock(Date.UTC(2026, 2, 4, 5, 10))
  const ports = statePortsFor(clock.now, { liveness: async () => 'dead' })
  const state = stateStore(memoryBackend(), { url: desired.site.url }, ports)
  const taken = await state.take('apply')
  if (journal !== 'none' && taken.kind === 'held')
    await taken.held.write(buildSubmissionEntry(journal), () => ({
      record: emptyRecord,
      submission: aSubmission({ state: journal, organization }),
    }))
  return { client: siteThatIs(site), state, clock }
}

/** The exit code of one apply, whatever the journal; a site without an organization has its own table below. */
const codes: Readonly<Record<Exclude<SiteKind, 'not-configured'>, number>> = {
  'in-progress': 0,
  ready: 0,
  failed: 5,
  unrecognized: 4,
  unreachable: 69,
  'without a token': 77,
}

test.each(Object.entries(codes))('one apply to a site that is %s exits with %i', async (site, code) => {
  for (const journal of journals) {
    const { exitCode } = await oneRun(await portsAfter(journal, site as SiteKind))
    expect([journal, exitCode]).toEqual([journal, code])
  }
})

test.each<[number, 'nothing' | 'consent' | 'discarding the intent', readonly Journal[]]>([
  [0, 'nothing', ['none', 'not-sent', 'cleared']],
  [4, 'consent', ['rejected']],
  [4, 'discarding the intent', ['intent', 'acknowledged', 'unknown']],
  [6, 'discarding the intent', ['begun', 'ready', 'failed']],
])(
  'one apply to a site without an organization exits with %i, and the next step is %s, after %j',
  async (code, way, after) => {
    for (const journal of after) {
      const ports = await portsAfter(journal, 'not-configured')
      const { exitCode } = await oneRun(ports)
      expect([journal, exitCode]).toEqual([journal, code])
      if (way === 'discarding the intent') {
        const { signal } = new AbortController()
        const clearing = clearSubmission(
          { ...ports, siteDate: async () => undefined },
          {
            nonce: 'a-request',
            isRunnerGone: false,
            waits: true,
            signal,
          },
        )
        let step = await clearing.next()
        while (step.done !== true) step = await clearing.next()
        expect([journal, step.value.kind]).toEqual([journal, 'cleared'])
      }
      const again = await oneRun(ports, { resubmitAfterRejection: way === 'consent' })
      expect([journal, again.exitCode]).toEqual([journal, 0])
    }
  },
)

const commands = nextCommands({
  file: 'site.yaml',
  url: undefined,
  state: undefined,
  emulate: false,
  'allow-origin': [],
})

test('a plan that an unrecognized state blocks names the command that polls again', () => {
  const blocker = {
    kind: 'site-unrecognized',
    observed: { kind: 'unrecognized', state: 'paused', warnings: [], stages: [] },
  } as const
  const failure = toFailure({ kind: 'obstacle', blocker, diagnostics: [] }, commands)
  expect(failure).toMatchObject({ exitCode: 4, next: [expect.stringContaining(`\`${commands.plan}\``)] })
})

test.each(['alive', 'elsewhere'] as const)(
  'an intent that cannot be discarded while a run that is %s holds the lock can be later, and the message says how',
  liveness => {
    const locked: Cleared = { kind: 'locked', lock: aLock(), liveness }
    expect(endOfClearing(locked).next(commands).join('\n')).toContain('then run the same command again')
  },
)
