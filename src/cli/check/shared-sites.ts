import { dirname } from 'node:path'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { declaredIdentity } from '../../library/choose-state.js'
import { loadWithBases } from '../../library/read-bases.js'
import { addPlace } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import type { Source } from '../../manifest/source.js'
import type { Host } from '../host.js'
import { readSource } from './read-source.js'

/** The findings of one file, for the version that it declares. */
export interface Checked {
  readonly file: string
  /** The file and its bases; empty if there are no findings, to save memory. */
  readonly sources: readonly Source[]
  readonly diagnostics: readonly Diagnostic[]
  /** The site of the manifest; absent if the file is not a valid manifest. */
  readonly identity?: SiteIdentity
}

/**
 * Adds an error to each manifest with the address of an earlier one, or with the same name in the same state location:
 * two manifests of one site undo each other, and two sites with one name would share their state.
 */
export async function withSharedSites<F extends Checked>(
  files: readonly F[],
  host: Host,
): Promise<readonly F[]> {
  const namesakes = findNamesakes(files.map(({ identity }) => identity))
  const found = [...files]
  for (const [at, { byUrl, byName }] of namesakes) {
    const fileAt = (index: number | undefined) => (index === undefined ? undefined : files[index])
    const one = fileAt(at)
    if (one !== undefined) found[at] = await compareSites(one, [fileAt(byUrl), fileAt(byName)], host)
  }
  return found
}

/** Adds errors about the fields that a file shares with others. Reads their places only now, because they are rarely needed. */
async function compareSites<F extends Checked>(
  one: F,
  [byUrl, byName]: readonly (F | undefined)[],
  host: Host,
): Promise<F> {
  const mine = await loadFile(one.file, host)
  if (mine === undefined) return one
  const shared: Diagnostic[] = []
  if (byUrl !== undefined)
    shared.push(diagnose('site/shared', '/spec/site/url', { other: byUrl.file, url: mine.manifest.site.url }))
  const theirs = byName && byName !== byUrl ? await loadFile(byName.file, host) : undefined
  const identity = declaredIdentity(mine.manifest)
  if (byName && theirs && identity !== undefined && identity === declaredIdentity(theirs.manifest))
    shared.push(diagnose('state/shared', '/metadata/name', { other: byName.file, name: mine.manifest.name }))
  if (shared.length === 0) return one
  const diagnostics = [...one.diagnostics, ...shared.map(shares => addPlace(mine.manifest, shares))]
  return { ...one, sources: one.sources.length > 0 ? one.sources : mine.sources, diagnostics }
}

async function loadFile(
  file: string,
  host: Host,
): Promise<{ readonly manifest: Manifest; readonly sources: readonly Source[] } | undefined> {
  // A pipe cannot be read again.
  if (file === '-' || dirname(file) === '/dev') return undefined
  const reply = await readSource(host, file)
  if (!reply.ok) return undefined
  const { loaded: checked, sources } = await loadWithBases(reply.value, file)
  return checked.ok ? { manifest: checked.value, sources } : undefined
}

/** The values that no two manifests may share: the address, and the name in a state location. */
export interface SiteIdentity {
  readonly name: string
  readonly url: string
  /** The declared state location, as written. Without one, the name is not compared. */
  readonly state: string | undefined
}

/** The indexes of the first manifests with the same address and with the same name. */
interface Namesakes {
  readonly byUrl: number | undefined
  readonly byName: number | undefined
}

/**
 * Finds the manifests that share an address with an earlier one or, if both declare their state, a name. Whether both
 * locations are the same place depends on files that this does not read.
 */
export function findNamesakes(
  identities: readonly (SiteIdentity | undefined)[],
): ReadonlyMap<number, Namesakes> {
  const first = { url: new Map<string, number>(), name: new Map<string, number>() }
  const found = new Map<number, Namesakes>()
  for (const [at, identity] of identities.entries()) {
    if (identity === undefined) continue
    const byUrl = keepFirst(first.url, normalizeSiteUrl(identity.url), at)
    const byName = identity.state === undefined ? undefined : keepFirst(first.name, identity.name, at)
    if (byUrl !== undefined || byName !== undefined) found.set(at, { byUrl, byName })
  }
  return found
}

function keepFirst(first: Map<string, number>, key: string, at: number): number | undefined {
  const before = first.get(key)
  if (before === undefined) first.set(key, at)
  return before
}
