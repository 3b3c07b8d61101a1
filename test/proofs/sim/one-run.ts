import { apply } from '../../../src/apply/apply.js'
import type { Outcome } from '../../../src/apply/outcome.js'
import type { ApplyOptions, Ports } from '../../../src/apply/ports.js'
import { observeToPlan } from '../../../src/library/make-plan.js'
import { computeDigest } from '../../../src/manifest/digest.js'
import type { Manifest, Organization } from '../../../src/manifest/manifest.js'
import { noSettings } from '../../../src/plan/observation.js'
import { plan } from '../../../src/plan/planner.js'
import { endOfApply } from '../../../src/report/endings/apply.js'
import { endOfBlocker } from '../../../src/report/endings/blockers.js'
import { endOfProblem } from '../../../src/report/endings/problems.js'
import type { ExitCode } from '../../../src/report/exit-code.js'
import { bindFiles } from '../../../src/secrets/resolve.js'
import { type SecretSource, secretSource } from '../../../src/secrets/secret-source.js'
import { noToken } from '../../../src/secrets/token-provider.js'
import { selectContent } from '../../../src/state/site-state.js'
import { aManifest, aPolicy } from '../../support/a-manifest.js'
import { anOrganization } from '../../support/an-organization.js'
import { someSecrets } from '../../support/some-secrets.js'

/** The manifest of every run. */
export const desired = aManifest({
  policy: aPolicy(),
  // Small, because every version is hashed.
  organization: { ...anOrganization(), volumes: {} } as unknown as Organization,
})

/** The exit code of a run, and its outcome in words. */
export interface RunEnd {
  readonly exitCode: ExitCode
  readonly outcome: string
}

/** The ports that differ between runs. */
export type RunPorts = Pick<Ports, 'client' | 'state' | 'clock'> &
  Partial<Pick<Ports, 'provideToken' | 'nonce'>>

const memory = secretSource(someSecrets, '.')
const secrets: SecretSource = {
  ...memory,
  file: async () => ({ kind: 'read', bytes: Buffer.from('license') }),
  digest: async () => ({ kind: 'digested', digest: computeDigest('license') }),
}

export interface Subject {
  readonly manifest: Manifest
  readonly secrets: SecretSource
}

const simulated: Subject = { manifest: desired, secrets }

/** Polls, plans, and performs the plan, as the command does. */
export async function oneRun(
  ports: RunPorts,
  options: Partial<ApplyOptions> = {},
  { manifest, secrets }: Subject = simulated,
): Promise<RunEnd> {
  const { signal } = new AbortController()
  const { client, state, clock } = ports
  const bound = await bindFiles(manifest.organization, secrets)
  if (!bound.ok) {
    const { exitCode } = endOfProblem({ kind: 'references', diagnostics: bound.error })
    return { exitCode, outcome: 'references' }
  }
  const looked = await observeToPlan(client, signal)
  if (!looked.ok) {
    const { exitCode } = endOfProblem({ kind: 'look', url: manifest.site.url, failure: looked.error })
    return { exitCode, outcome: 'no look' }
  }
  const kept = await state.read()
  if (!kept.ok)
    return { exitCode: endOfProblem({ kind: 'state', failure: kept.error }).exitCode, outcome: 'no state' }
  const planned = plan({
    desired: manifest,
    observed: looked.value,
    settings: noSettings('not-offered'),
    ...selectContent(kept.value),
    url: manifest.site.url,
    files: bound.value.digests,
    licenses: bound.value.licenses,
    ignored: [],
    now: clock.now(),
    lifetimeMs: 24 * 3_600_000,
    tool: 'landform/simulated',
  })
  if (!planned.ok)
    return {
      exitCode: endOfBlocker(planned.error).exitCode,
      outcome: planned.error.kind,
    }
  const all: Ports = {
    provideToken: noToken,
    nonce: () => `request-${clock.now()}-${process.pid}`,
    ...ports,
    secrets,
    random: () => 0.5,
  }
  const performing = apply(planned.value, all, {
    timeoutMs: 3 * 3_600_000,
    pollMs: 60_000,
    detach: false,
    signal,
    ...options,
  })
  for (;;) {
    const step = await performing.next()
    if (step.done === true) {
      const { outcome } = step.value
      return { exitCode: endOfApply(outcome).exitCode, outcome: inWords(outcome) }
    }
  }
}

function inWords(outcome: Outcome): string {
  if (outcome.kind === 'not-recorded') return `not-recorded after ${outcome.after}`
  if (outcome.kind === 'not-taken' && outcome.operation === 'update') return 'not-taken update'
  return outcome.kind
}
