import type { Reply } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import type { SubmissionState } from '../../src/plan/submission.js'
import { Secret, type SecretsToSend } from '../../src/secrets/secret.js'
import { selectContent } from '../../src/state/site-state.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'

const { policy: _, ...manifest } = exampleManifest()
const { url } = manifest.site
const look = (kind: 'not-configured' | 'in-progress' | 'ready'): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [] },
})

const observed: Observation = { kind: 'not-configured', warnings: [], stages: [] }

/** Ports for a run that follows one which got this answer to `configure` and did not wait; `looks` are its polls. */
async function portsAfter(
  answer: Reply<Observation>,
  looks: readonly Reply<Observation>[],
): Promise<ReturnType<typeof portsFor>> {
  const call = { observed, deadlineMs: 900_000, send: async () => answer, discard: () => undefined }
  const unset = scriptedSite([look('not-configured')], {
    openConfigure: async () => ({ ok: true, value: call }),
  })
  const first = portsFor(url, { client: unset })
  // A rejection counts once the site has shown for a while that nothing has begun.
  const timeoutMs = answer.ok ? 0 : 180_000
  await applied(await planFor(url, manifest, first), first, { timeoutMs, detach: true })
  return { ...first, client: scriptedSite(looks) }
}

test('one poll that finds the site ready is not enough while a configuration is open', async () => {
  const looks = ['ready', 'in-progress', 'in-progress', 'ready', 'ready'] as const
  const ports = await portsAfter(look('in-progress'), looks.map(look))
  const plan = await planFor(url, manifest, ports)
  expect(plan.actions.map(({ change }) => change)).toStrictEqual(['no-op'])
  const { receipt } = await applied(plan, ports)
  expect(receipt.outcome).toStrictEqual({ kind: 'done' })
  expect(ports.client).toMatchObject({
    calls: ['observe', 'settings', ...looks.slice(1).map(() => 'observe')],
  })
})

test.each<[string, Reply<Observation>, SubmissionState]>([
  [
    'was never sent',
    { ok: false, error: { kind: 'not-sent', cause: 'connection', reason: 'x' } },
    'not-sent',
  ],
  [
    'was rejected',
    { ok: false, error: { kind: 'refused', status: 400, code: 400, message: 'x' } },
    'rejected',
  ],
])(
  'if others configured the site after a request that %s, no organization is recorded',
  async (_name, answer, state) => {
    for (const looks of [['ready'], ['in-progress', 'ready']] as const) {
      const ports = await portsAfter(answer, looks.map(look))
      const { receipt } = await applied(await planFor(url, manifest, ports), ports)
      expect(receipt.outcome).toStrictEqual({ kind: 'done' })
      const kept = await ports.state.read()
      const { submission, record } = selectContent(kept.ok ? kept.value : undefined)
      expect(submission?.state).toBe(state)
      expect(record.organization).toBeUndefined()
    }
  },
)

test('only the beginning of an overlong rejection message is kept', async () => {
  const message = 'x'.repeat(3_000_000)
  const ports = await portsAfter(
    { ok: false, error: { kind: 'refused', status: 400, code: 400, message } },
    [],
  )
  const kept = await ports.state.history()
  if (!kept.ok) throw new Error(kept.error.reason.kind)
  expect(kept.value.at(-1)?.submission?.reason).toMatch(/^x{1000}…$/)
  expect(JSON.stringify(kept.value).length).toBeLessThan(50_000)
})

test('only the beginning of an overlong failure message is kept', async () => {
  const failed: Reply<Observation> = {
    ok: true,
    value: { kind: 'failed', message: 'x'.repeat(3_000_000), warnings: [], stages: [] },
  }
  const ports = await portsAfter(look('in-progress'), [look('in-progress'), failed])
  const { receipt } = await applied(await planFor(url, manifest, ports), ports)
  expect(receipt.outcome.kind).toBe('site-failed')
  const kept = await ports.state.history()
  expect(JSON.stringify(kept).length).toBeLessThan(50_000)
})

test('a site that is ready after it failed has no recorded organization', async () => {
  const failed: Reply<Observation> = { ok: true, value: { kind: 'failed', warnings: [], stages: [] } }
  const ports = await portsAfter(look('in-progress'), [look('in-progress'), failed])
  await applied(await planFor(url, manifest, ports), ports)
  const repaired = { ...ports, client: scriptedSite([look('ready')]) }
  const { receipt } = await applied(await planFor(url, manifest, repaired), repaired)
  expect(receipt.outcome).toStrictEqual({ kind: 'done' })
  const kept = await ports.state.read()
  expect(selectContent(kept.ok ? kept.value : undefined).record.organization).toBeUndefined()
})

test('no secret is left in memory during the wait', async () => {
  let borrowed: SecretsToSend = new Map()
  const wiped: boolean[] = []
  const client = scriptedSite([look('not-configured')], {
    async observe() {
      const isWiped = [...borrowed.values()].every(
        one => one instanceof Secret && one.bytes.every(byte => byte === 0),
      )
      if (borrowed.size > 0) wiped.push(isWiped)
      return look(borrowed.size === 0 ? 'not-configured' : 'ready')
    },
    async openConfigure(_organization, secrets) {
      borrowed = secrets
      const send = async () => look('in-progress')
      return { ok: true, value: { observed, deadlineMs: 900_000, send, discard: () => undefined } }
    },
  })
  const ports = portsFor(url, { client })
  expect((await applied(await planFor(url, manifest, ports), ports)).receipt.outcome.kind).toBe('done')
  expect(wiped).toStrictEqual([true, true])
})

describe('an answer of another site than the planned one', () => {
  const from = (kind: 'not-configured' | 'in-progress' | 'ready', facts: object): Reply<Observation> => ({
    ok: true,
    value: { kind, warnings: [], stages: [], ...facts },
  })
  const [ours, others] = [{ version: '11.2.0' }, { version: '11.3.0' }]
  const [built, rebuilt] = [{ build: '7' }, { build: '8' }]

  test.each([
    ['version', ours, others, { kind: 'another-version', was: '11.2.0', is: '11.3.0' }],
    ['build', built, rebuilt, { kind: 'another-build', was: '7', is: '8' }],
  ])('is detected by its %s, for every action of the plan', async (_, facts, other, because) => {
    const replaced = { kind: 'replaced', because }
    const away = from('in-progress', other)

    const created = portsFor(url, {
      client: scriptedSite([from('not-configured', facts), from('not-configured', facts), away]),
    })
    expect((await applied(await planFor(url, manifest, created), created)).receipt.outcome).toStrictEqual(
      replaced,
    )

    for (const kind of ['in-progress', 'ready'] as const) {
      const ports = await portsAfter(look('in-progress'), [from(kind, facts), from(kind, facts), away])
      const { receipt } = await applied(await planFor(url, manifest, ports), ports)
      expect(receipt.outcome).toStrictEqual(replaced)
    }
  })

  test.each(['in-progress', 'ready'] as const)(
    'is detected after the first answer that agrees with the plan, made when the site was %s',
    async kind => {
      const ports = await portsAfter(look('in-progress'), [
        from(kind, { ...ours, ...built }),
        from(kind, { ...ours, ...built }),
        from('in-progress', { ...ours, ...rebuilt }),
        from('in-progress', { ...ours, ...rebuilt }),
      ])
      const { receipt } = await applied(await planFor(url, manifest, ports), ports)
      expect(receipt.outcome).toStrictEqual({
        kind: 'replaced',
        because: { kind: 'another-build', was: '7', is: '8' },
      })
    },
  )
})

test('a run that resumes a configuration of unknown outcome cannot detach', async () => {
  const ports = await portsAfter({ ok: false, error: { kind: 'no-answer', reason: 'UND_ERR_SOCKET' } }, [
    look('in-progress'),
    look('not-configured'),
  ])
  const plan = await planFor(url, manifest, ports)
  const { receipt } = await applied(plan, ports, { detach: true })
  expect(receipt.outcome).toMatchObject({
    kind: 'unknown',
    reason: 'no-sign-of-configuration',
    nonce: 'a-request',
  })
})
