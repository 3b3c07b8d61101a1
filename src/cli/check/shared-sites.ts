import { dirname } from 'node:path'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { declaredIdentity } from '../../library/choose-state.js'
import { loadWithBases } from '../../library/load-with-bases.js'
import { addPlace } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import { findNamesakes, type SiteIdentity } from '../../manifest/site-identity.js'
import type { Source } from '../../manifest/source.js'
import type { Host } from '../host.js'
import { readSource } from './read-source.js'

interface Checked {
  readonly file: string
  readonly sources: readonly Source[]
  readonly diagnostics: readonly Diagnostic[]
  readonly identity?: SiteIdentity
}

/**
 * Adds an error to each manifest that is for the same address as one before it, or whose state has the same name in the same place:
 * two manifests of one site undo each other, and two sites of one name cannot keep their state apart.
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

/** A file with what it shares with others: only now it has to be known where that is written. */
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
