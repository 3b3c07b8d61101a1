import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import type { Route, Transport } from '../client/route.js'
import { type Account, accountOf, administratorOf } from '../client/sign-in.js'
import { createSignInProvider, type SignInContext } from '../client/sign-in-provider.js'
import type { Manifest, SecretReference } from '../manifest/manifest.js'
import { normalizeSiteUrl } from '../manifest/site-url.js'
import type { Result } from '../result.js'
import type { NeededReference } from '../secrets/needed-references.js'
import { rehearsalSource, type SecretSource, secretSource } from '../secrets/secret-source.js'
import { createTokenProvider, type TokenProvider } from '../secrets/token-provider.js'
import type { StatePorts } from '../state/ports.js'
import { selectContent, wasSeenReady } from '../state/site-state.js'
import type { StateNeed } from './choose-state.js'
import { type ChosenPlace, openStateStore } from './open-state.js'
import type { RouteProblem } from './problem.js'
import { bindAll, type LoadedSite, openSecrets, type Site } from './site.js'
import { chooseRoute, createManifestRedaction, createRedaction } from './site-route.js'
import { statePorts } from './system-ports.js'

/** A site without a manifest: its address, and the secrets that options name. */
interface Address {
  readonly url: string
  readonly folder: string
  /** The name in a manifest that is about to be written. */
  readonly name?: string | undefined
  readonly account?: Account | undefined
  readonly named: readonly NeededReference[]
}

/** The options for opening a site. `P` is the type of the problems that the caller adds. */
interface Opening<P> {
  /** The address to call instead of the one in the manifest. */
  readonly url?: string | undefined
  /**
   * An emulator in this process that answers instead of the site. It works without network and secrets, and no site
   * changes.
   */
  readonly emulator?: { readonly url: string; readonly transport?: Transport } | undefined
  /** True if the site must not be called. */
  readonly isOffline?: boolean
  /** Returns the reason why an address must not be called. Called before a secret is read. */
  permit?(url: string): P | undefined
  /** Waits for the lock of another run. */
  readonly awaitLock?: StatePorts['awaitLock'] | undefined
  /** Chooses where the state is kept; an emulator keeps it in memory. */
  chooseState(need: StateNeed): Promise<Result<ChosenPlace, P>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: SignInContext['clock']
  /** Generates letters and digits, for secrets that are sent to an emulator. */
  random?(): string
  /** A second folder for the files of the manifest. */
  readonly elsewhere?: { readonly root: string; readonly instead: string } | undefined
  readonly secrets?: SecretSource | undefined
  readonly provideToken?: TokenProvider | undefined
}

/** An opened site, with or without a manifest. */
export type OpenedAddress = Pick<
  Site,
  'url' | 'route' | 'secrets' | 'provideToken' | 'signsIn' | 'stateLocation' | 'state' | 'close'
>

/**
 * Opens the site of a checked manifest. Sends nothing, and reads no secret except the key of a client certificate. If
 * the manifest has a sign-in, the token's first use signs in, and only if the site requires a token.
 */
export async function openLoaded<P>(
  loaded: LoadedSite,
  opening: Opening<P>,
): Promise<Result<Site, RouteProblem | P>> {
  const { manifest, warnings, policies } = loaded
  const { emulator, url = manifest.site.url, environment, elsewhere } = opening
  const folder = manifest.file === '-' ? '.' : dirname(manifest.file)
  const files = opening.secrets ?? openSecrets(manifest, { folder, environment, elsewhere })
  const isSite = emulator === undefined && opening.isOffline !== true
  const { token, signIn } = manifest.site
  const connected = await connect(opening, {
    address: url,
    need: { folder, manifest },
    named: { name: manifest.name, file: manifest.file === '-' ? undefined : manifest.file },
    files,
    // In a rehearsal, a placeholder replaces the token from signing in.
    token: emulator === undefined ? token : (token ?? (signIn && { env: 'LANDFORM_TOKEN' })),
    account: accountOf(manifest),
    administrator: administratorOf(manifest),
    redaction: () => createManifestRedaction(manifest, files),
  })
  if (!connected.ok) return connected
  return {
    ok: true,
    value: {
      manifest,
      warnings,
      // A rehearsal changes no site, so rules about plans do not apply.
      policies: emulator === undefined ? policies : policies.map(({ plans, ...policy }) => policy),
      ...connected.value,
      bind: () => bindAll(loaded, files, isSite ? 'required' : 'optional'),
    },
  }
}

/** Opens a site without a manifest. Sends nothing, and reads no secret. */
export function openAddress<P>(
  { url, folder, name, account, named }: Address,
  opening: Opening<P>,
): Promise<Result<OpenedAddress, RouteProblem | P>> {
  const files = opening.secrets ?? secretSource(opening.environment, folder)
  return connect(opening, {
    address: url,
    need: { folder },
    named: { name },
    files,
    token: undefined,
    account,
    redaction: () => createRedaction(named, files),
  })
}

/** The facts about a site, with or without a manifest. */
interface Connection {
  readonly address: string
  readonly need: { readonly folder: string; readonly manifest?: Manifest }
  readonly named: { readonly name?: string | undefined; readonly file?: string | undefined }
  readonly files: SecretSource
  readonly token: SecretReference | undefined
  readonly account: Account | undefined
  /** The account to sign in with until the site was observed ready. */
  readonly administrator?: Account | undefined
  redaction(): NonNullable<Route['redaction']>
}

async function connect<P>(
  { emulator, isOffline = false, permit, chooseState, environment, clock, ...ports }: Opening<P>,
  { address: written, need, named, files, token, account, administrator = account, redaction }: Connection,
): Promise<Result<OpenedAddress, RouteProblem | P>> {
  const address = emulator?.url ?? written
  const url = normalizeSiteUrl(address)
  const rejected = emulator === undefined ? permit?.(url) : undefined
  if (rejected !== undefined) return { ok: false, error: rejected }
  const place = await chooseState({ ...need, url })
  if (!place.ok) return place
  const { backend, location, open } = place.value
  const { random = () => randomBytes(12).toString('hex') } = ports
  const secrets = emulator === undefined ? files : rehearsalSource(files, random)
  const isSite = emulator === undefined && !isOffline
  const { manifest } = need
  const reached = isSite ? await chooseRoute(address, { manifest, secrets, environment }) : unreached
  if (!reached.ok) return reached
  const transport = emulator?.transport
  const route =
    emulator === undefined
      ? { ...reached.value, redaction: redaction() }
      : { ...reached.value, ...(transport !== undefined && { transport }) }
  const provided = createTokenProvider(token, secrets)
  const state = openStateStore(
    backend,
    { url, ...named },
    {
      ports: statePorts(clock, ports.awaitLock),
      environment: emulator === undefined ? environment : undefined,
      open,
    },
  )
  // Temporary state does not show whether the site was ready.
  const chooseFirst = async () => {
    if (backend.isTemporary || administrator?.pointer === account?.pointer) return undefined
    const kept = await state.read()
    return kept.ok && !wasSeenReady(selectContent(kept.value)) ? administrator : undefined
  }
  const signIn =
    isSite && account !== undefined && ports.provideToken === undefined
      ? createSignInProvider({ url, route, account, chooseFirst, secrets, clock, named: provided })
      : undefined
  return {
    ok: true,
    value: {
      url,
      route,
      secrets,
      provideToken: ports.provideToken ?? signIn?.provide ?? provided,
      signsIn: signIn !== undefined,
      stateLocation: location,
      state,
      close: () => signIn?.close(),
    },
  }
}

const unreached: Result<Route, never> = { ok: true, value: {} }
