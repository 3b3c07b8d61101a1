import type { Route } from '../client/route.js'
import type { Result } from '../result.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { createTokenProvider, type TokenProvider } from '../secrets/token-provider.js'
import type { StateBackend } from '../state/series.js'
import { createManifestRedactor } from './manifest-redactor.js'
import { openStateStore, type StateStoreOptions } from './open-state.js'
import type { RouteProblem } from './problem.js'
import { chooseRoute } from './route-to.js'
import { bindAll, type LoadedSite, type Site } from './site.js'
import { statePorts } from './state-ports.js'

/** A place that was chosen for the state of a site. */
export interface ChosenPlace extends Pick<StateStoreOptions, 'open'> {
  readonly backend: StateBackend
  /** The place in the notation of `spec.state`; absent for state that does not last. */
  readonly location?: string | undefined
}

/** The decisions that are made before a site is assembled. */
export interface AssemblyOptions {
  /** The address to call, which the caller has allowed. */
  readonly url: string
  /**
   * The program that answers at the address: the site, an emulator of this process, or nobody, since nothing is to be
   * sent. Only the site is reached over a network, and only it may repeat secrets that other processes have sent.
   */
  readonly answers: 'site' | 'emulator' | 'nobody'
  readonly secrets: SecretSource
  /** The source from which license files are bound, where that is not `secrets`. */
  readonly files?: SecretSource
  /** Replaces the token that the manifest names. */
  readonly provideToken?: TokenProvider | undefined
  readonly state: ChosenPlace
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: { now(): number }
}

/** Assembles a site from its manifest. Sends nothing, and reads no secret but the key of a client certificate. */
export async function assembleSite(
  loaded: LoadedSite,
  decided: AssemblyOptions,
): Promise<Result<Site, RouteProblem>> {
  const { manifest, warnings, policies } = loaded
  const { url, answers, secrets, files = secrets, environment, clock, state } = decided
  const reached = answers === 'site' ? await chooseRoute(url, { manifest, secrets, environment }) : unreached
  if (!reached.ok) return reached
  const { backend, location, open } = state
  return {
    ok: true,
    value: {
      manifest,
      warnings,
      // A rehearsal changes no site.
      policies: answers === 'emulator' ? policies.map(({ plans, ...policy }) => policy) : policies,
      url,
      route:
        answers === 'emulator'
          ? reached.value
          : { ...reached.value, redactor: createManifestRedactor(manifest, files) },
      secrets,
      provideToken: decided.provideToken ?? createTokenProvider(manifest.site.token, secrets),
      stateLocation: location,
      state: openStateStore(
        backend,
        { url, name: manifest.name },
        { ports: statePorts(clock), environment, open },
      ),
      bind: () => bindAll(loaded, files, answers === 'site' ? 'required' : 'optional'),
    },
  }
}

const unreached: Result<Route, never> = { ok: true, value: {} }
