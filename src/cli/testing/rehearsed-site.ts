import { dirname } from 'node:path'
import { type InProcessSite, siteInProcess } from '../../emulator/in-process.js'
import { type Scenario, worldOptionsOf } from '../../emulator/scenarios/scenario.js'
import { bindAll, type Site, secretsOf } from '../../library/site.js'
import { statePorts } from '../../library/state-ports.js'
import type { Manifest } from '../../manifest/manifest.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import { rehearsalSource } from '../../secrets/secret-source.js'
import { tokenLoan } from '../../secrets/token-loan.js'
import { memoryBackend } from '../../state/memory-backend.js'
import { stateStore } from '../../state/state-store.js'
import type { Ground } from './ground.js'
import { transportTo } from './transport.js'
import { type VirtualClock, virtualClock } from './virtual-clock.js'

/** The one site of a test, which lasts over all its runs. */
export interface RehearsedSite {
  readonly clock: VirtualClock
  /** Absent until a manifest says where the site is. */
  emulated(): InProcessSite | undefined
  /** The site as a manifest describes it, with stand-ins for secrets. */
  siteOf(manifest: Manifest): Site
}

/** A site in this process, with its own clock and its own state. Nothing of the environment is read. */
export function rehearsedSite(scenarios: readonly Scenario[], { policies }: Ground): RehearsedSite {
  const clock = virtualClock()
  const backend = memoryBackend()
  let emulated: InProcessSite | undefined
  let standIns = 0
  const random = () => {
    standIns += 1
    return `standin${standIns}`
  }
  return {
    clock,
    emulated: () => emulated,
    siteOf(manifest) {
      const { version, token, signIn, url: written } = manifest.site
      const url = normalizedSiteUrl(written)
      const chosen = worldOptionsOf(scenarios)
      const field = { ...chosen.field, anyToken: true }
      const accept = Object.keys(manifest.organization.extra ?? {})
      emulated ??= siteInProcess({ version, accept, ...chosen, field, url, now: clock.now })
      const real = secretsOf(manifest, { folder: dirname(manifest.file), environment: {} })
      const secrets = rehearsalSource(real, random)
      return {
        manifest,
        warnings: [],
        policies,
        url,
        route: { transport: transportTo(emulated, clock) },
        secrets,
        lendToken: tokenLoan(token ?? (signIn && { env: 'LANDFORM_TOKEN' }), secrets),
        state: stateStore(backend, { url }, statePorts(clock)),
        bind: () => bindAll({ manifest, policies }, real, 'optional'),
      }
    },
  }
}
