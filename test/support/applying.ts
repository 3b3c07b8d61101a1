import { apply } from '../../src/apply/apply.js'
import type { ApplyEvent } from '../../src/apply/generated/event.js'
import type { Receipt } from '../../src/apply/outcome.js'
import type { ApplyOptions, Ports } from '../../src/apply/ports.js'
import type { SiteWriter } from '../../src/client/site-client.js'
import { siteWriter } from '../../src/client/site-writer.js'
import type { Manifest } from '../../src/manifest/manifest.js'
import { noSettings } from '../../src/plan/observation.js'
import type { Plan } from '../../src/plan/plan.js'
import { plan } from '../../src/plan/planner.js'
import { bindFiles } from '../../src/secrets/resolve.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import { createTokenProvider } from '../../src/secrets/token-provider.js'
import { selectContent } from '../../src/state/site-state.js'
import { someSecrets } from './some-secrets.js'
import { someState } from './some-state.js'
import { virtualClock } from './virtual-clock.js'

/** Ports for a site at a real socket, with a virtual clock and the license of the examples. */
export function portsFor(url: string, changes: Partial<Ports> = {}): Ports {
  const clock = changes.clock ?? virtualClock()
  const secrets = changes.secrets ?? secretSource(someSecrets, 'examples')
  return {
    client: siteWriter(url),
    secrets,
    provideToken: createTokenProvider({ env: 'LANDFORM_TOKEN' }, secrets),
    state: someState(url, clock.now),
    clock,
    random: () => 0.5,
    nonce: () => 'a-request',
    ...changes,
  }
}

/** Observes the site and plans, as the command does. */
export async function planFor(url: string, desired: Manifest, ports: Ports): Promise<Plan> {
  const bound = await bindFiles(desired.organization, ports.secrets)
  const { signal } = new AbortController()
  const looked = await ports.client.observe(signal)
  const isReady = looked.ok && looked.value.kind === 'ready'
  const settings = isReady ? await ports.client.settings(signal) : noSettings('not-asked')
  const kept = await ports.state.read()
  if (!bound.ok || !looked.ok || !kept.ok) throw new Error('no plan can be made')
  const planned = plan({
    desired,
    observed: looked.value,
    ...selectContent(kept.value),
    url,
    settings,
    files: bound.value.digests,
    licenses: bound.value.licenses,
    ignored: [],
    lifetimeMs: 24 * 3_600_000,
    now: ports.clock.now(),
    tool: 'landform/test',
  })
  if (!planned.ok) throw new Error(`no plan: ${planned.error.kind}`)
  return planned.value
}

/** Applies a plan to its end. Returns all events and the receipt. */
export async function applied(
  thePlan: Plan,
  ports: Ports,
  options: Partial<ApplyOptions> = {},
): Promise<{ readonly events: readonly ApplyEvent[]; readonly receipt: Receipt }> {
  const events: ApplyEvent[] = []
  const stream = apply(thePlan, ports, {
    timeoutMs: 3 * 3_600_000,
    pollMs: 5000,
    detach: false,
    signal: new AbortController().signal,
    ...options,
  })
  for (;;) {
    const step = await stream.next()
    if (step.done === true) return { events, receipt: step.value }
    events.push(step.value)
  }
}

/** Returns a client that accepts every request, and returns these observations in turn. The last one repeats. */
export function scriptedSite(
  looks: readonly Awaited<ReturnType<SiteWriter['observe']>>[],
  changes: Partial<SiteWriter> = {},
): SiteWriter & { readonly calls: string[] } {
  const calls: string[] = []
  let next = 0
  async function observe() {
    calls.push('observe')
    const look = looks[Math.min(next, looks.length - 1)]
    next += 1
    if (look === undefined) throw new Error('no look is scripted')
    return look
  }
  return {
    calls,
    observe,
    async settings() {
      calls.push('settings')
      return noSettings('not-offered')
    },
    async openConfigure() {
      const look = await observe()
      if (!look.ok) return look
      return {
        ok: true,
        value: {
          observed: look.value,
          async send() {
            calls.push('configure')
            return { ok: true, value: { kind: 'in-progress', warnings: [], stages: [] } }
          },
          deadlineMs: 900_000,
          discard: () => undefined,
        },
      }
    },
    async update() {
      calls.push('update')
      return { ok: true, value: undefined }
    },
    ...changes,
  }
}
