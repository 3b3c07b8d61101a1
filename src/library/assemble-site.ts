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

/** A place for state that was chosen. */
export interface ChosenPlace extends Pick<StateStoreOptions, 'open'> {
  readonly backend: StateBackend
  /** In the notation of `spec.state`; absent for what does not last. */
  readonly location?: string | undefined
}

/** What is decided before a site is put together. */
export interface AssemblyOptions {
  /** The address that is called, which its opener allows. */
  readonly url: string
  /**
   * Who answers there: the site, an emulator of this process, or nobody, since nothing is to be sent. Only the site is reached over
   * a network, and only it repeats what other processes have sent.
   */
  readonly answers: 'site' | 'emulator' | 'nobody'
  readonly secrets: SecretSource
  /** What license files are bound from, where that is not `secrets`. */
  readonly files?: SecretSource
  /** In place of the token that the manifest names. */
  readonly provideToken?: TokenProvider | undefined
  readonly state: ChosenPlace
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: { now(): number }
}

/** Puts a site together from its manifest. Nothing is sent, and no secret is read but the key of a client certificate. */
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
      policies,
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
