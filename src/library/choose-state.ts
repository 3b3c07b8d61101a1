import { join, resolve } from 'node:path'
import { findFile } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { isLoopback } from '../manifest/site-url.js'
import {
  formatLocation,
  insertName,
  parseDeclaredLocation,
  type StateLocation,
} from '../manifest/state-location.js'

/** A location, with the folder that a relative path in it starts from. */
export interface LocatedState {
  readonly location: StateLocation
  readonly folder: string
}

/** The place where the state of a site is kept, or the reason why none was chosen. */
type StateChoice =
  /** `isSaid` is true if the manifest or the caller names it. */
  | ({ readonly kind: 'chosen'; readonly isSaid: boolean } & LocatedState)
  /** The site is not on this machine, and neither the manifest nor the caller names a location. */
  | { readonly kind: 'undeclared' }
  /** The caller names a location that differs from that of the manifest. */
  | { readonly kind: 'contradiction'; readonly declared: string; readonly file: string }

/** The facts that determine the location of a site's state. */
export interface StateNeed {
  /** The address to call. */
  readonly url: string
  /** Folder of the manifest. */
  readonly folder: string
  /** Absent if only the address is known. */
  readonly manifest?: Pick<Manifest, 'name' | 'file' | 'site' | 'state' | 'places'> | undefined
}

/**
 * Chooses the location of a site's state: that of the manifest, or that of the caller. If both name one, they must
 * agree: a run that does not find the submission intent could send `configure` again. An emulator (a site on this
 * machine without TLS) ignores the location of a manifest for another machine; its state is kept beside the manifest.
 */
export function chooseState({ url, folder, manifest }: StateNeed, given?: StateLocation): StateChoice {
  const declared = isRehearsal(url, manifest) ? undefined : declaredState(manifest)
  const said = given && { location: given, folder: '.' }
  if (declared !== undefined) {
    if (said === undefined || identifyLocation(said) === identifyLocation(declared))
      return { kind: 'chosen', isSaid: true, ...declared }
    return { kind: 'contradiction', declared: formatLocation(declared.location), file: declared.file }
  }
  if (said !== undefined) return { kind: 'chosen', isSaid: true, ...said }
  if (!isLoopback(new URL(url).hostname)) return { kind: 'undeclared' }
  return {
    kind: 'chosen',
    isSaid: false,
    location: { kind: 'file', folder: join(folder, '.landform') },
    folder: '.',
  }
}

/** True if an emulator on this machine is called instead of the site. */
function isRehearsal(url: string, manifest: StateNeed['manifest']): boolean {
  const { protocol, hostname } = new URL(url)
  const isEmulator = protocol === 'http:' && isLoopback(hostname)
  return isEmulator && manifest !== undefined && !isLoopback(new URL(manifest.site.url).hostname)
}

function declaredState(
  manifest: StateNeed['manifest'],
): (LocatedState & { readonly file: string }) | undefined {
  if (manifest?.state === undefined) return undefined
  const parsed = parseDeclaredLocation(insertName(manifest.state, manifest.name))
  if (!parsed.ok) throw new Error('the rules let a state location through that is none')
  const file = findFile(manifest.places, '/spec/state')
  return { location: parsed.value, folder: join(file, '..'), file }
}

/** Returns a key of the state location that a manifest declares, to compare manifests; `undefined` if it declares none. */
export function declaredIdentity(manifest: StateNeed['manifest']): string | undefined {
  const declared = declaredState(manifest)
  return declared && identifyLocation(declared)
}

/** Returns the same key for every spelling of a location. */
function identifyLocation({ location, folder }: LocatedState): string {
  return location.kind === 'file' ? `file:${resolve(folder, location.folder)}` : formatLocation(location)
}
