import { dirname, join, relative } from 'node:path'
import type { Route } from '../client/route.js'
import type { SiteReader } from '../client/site-client.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { UncheckedReference } from '../diagnostics/reference-defect.js'
import { findFile } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Source } from '../manifest/source.js'
import type { Plan } from '../plan/plan.js'
import type { Policy } from '../policy/policy.js'
import type { JsonPointer } from '../schema/pointer.js'
import {
  listManifestReferences,
  listNamedFiles,
  listSignInReferences,
  listTlsReferences,
  type NeededSecret,
} from '../secrets/needed-references.js'
import { type BoundFiles, bindFiles } from '../secrets/resolve.js'
import { type SecretSource, secretSource, withFallback } from '../secrets/secret-source.js'
import type { TokenProvider } from '../secrets/token-provider.js'
import type { StateStore } from '../state/ports.js'

/** A manifest with the files around it. */
export interface LoadedSite {
  readonly manifest: Manifest
  /** The files that it was read from, its own first. */
  readonly sources: readonly Source[]
  /** Warnings about the manifest. */
  readonly warnings: readonly Diagnostic[]
  /** The policies that apply to it, with the digests of their files. */
  readonly policies: readonly Pick<Policy, 'file' | 'digest' | 'plans'>[]
}

/** A site with everything that is needed to read or to change it. */
export interface Site extends Pick<LoadedSite, 'manifest' | 'warnings' | 'policies'> {
  /** Base URL that requests go to. */
  readonly url: string
  /** The proxy and the certificates for requests. */
  readonly route: Route
  readonly secrets: SecretSource
  /** Provides the token of the site; it is sent to `url` only. */
  readonly provideToken: TokenProvider
  /** True if the manifest declares how to sign in for a token. */
  readonly signsIn: boolean
  /** The stored state of the site. */
  readonly state: StateStore
  /** The place of the state in the notation of `spec.state`; absent for temporary state. */
  readonly stateLocation?: string | undefined
  /** Computes digests of the license files, of the bases and of the policies; skips placeholders of a rehearsal. */
  bind(): Promise<BoundFiles>
  /** Wipes a token that was obtained by signing in; the next use signs in again. */
  close(): void
}

interface SecretsOptions {
  /** Folder of the manifest. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A second folder for its files: a file missing below `root` is read at the same path below `instead`. */
  readonly elsewhere?: { readonly root: string; readonly instead: string } | undefined
}

/** The options for making a plan. */
export interface PlanOptions {
  /** Fields whose edits do not stop the plan. */
  readonly ignored: readonly JsonPointer[]
  /** Time during which the plan may be used, in milliseconds. */
  readonly lifetimeMs: number
  readonly signal: AbortSignal
}

/** The client that reads the site, and the clock. */
export interface ReadPorts {
  readonly clock: { now(): number }
  /** Replaces the client that only reads. */
  readonly client?: SiteReader | undefined
}

/** A plan with the warnings to report beside it. */
export interface MadePlan {
  readonly plan: Plan
  /** Warnings about the manifest, and about the site as it is. */
  readonly warnings: readonly Diagnostic[]
  /** The secrets and files that are not available where the plan was made; absent if they were not checked. */
  readonly unchecked?: readonly UncheckedReference[]
}

/**
 * Opens the secrets and files that a manifest refers to; each path is relative to the file that names it. Does not keep
 * the manifest, because a run that waits for many sites keeps a source for each.
 */
export function openSecrets(
  manifest: Manifest,
  { folder, environment, elsewhere }: SecretsOptions,
): SecretSource {
  const folderOf = mapFolders(manifest)
  const here = secretSource(environment, folder, folderOf)
  if (elsewhere === undefined) return here
  const { root, instead } = elsewhere
  const there = (place: string) => join(instead, relative(root, place))
  return withFallback(
    here,
    secretSource(environment, there(folder), pointer => there(folderOf(pointer))),
  )
}

/** Lists the paths of the files that a manifest names, except secrets. */
export function listFilePaths(manifest: Manifest, folder: string): readonly string[] {
  const source = openSecrets(manifest, { folder, environment: {} })
  return listNamedFiles(manifest).map(file => join(folder, source.pathOf(file)))
}

/** Lists the secrets with which this process signs in to a site. */
export function listSiteSignIn({
  manifest,
  signsIn,
}: Pick<Site, 'manifest' | 'signsIn'>): readonly NeededSecret[] {
  return signsIn ? listSignInReferences(manifest.site) : []
}

/** Returns a function that finds the folder of the file with a reference. */
function mapFolders({ organization, site, file, bases, places }: Manifest): (pointer: JsonPointer) => string {
  const wanted = [
    ...listManifestReferences({ organization, site }),
    ...(site.tls === undefined ? [] : listTlsReferences(site.tls)),
  ]
  const named = bases.length === 0 ? [] : wanted
  return lookUpFolder(
    new Map(named.map(({ pointer }) => [pointer, dirname(findFile(places, pointer))])),
    dirname(file),
  )
}

function lookUpFolder(
  folders: ReadonlyMap<JsonPointer, string>,
  own: string,
): (pointer: JsonPointer) => string {
  return pointer => folders.get(pointer) ?? own
}

/** Computes digests of the license files, the bases and the policies of a manifest, by their paths relative to its folder. */
export async function bindAll(
  { manifest, policies }: Pick<LoadedSite, 'manifest' | 'policies'>,
  source: SecretSource,
  presence: 'required' | 'optional' = 'required',
): Promise<BoundFiles> {
  const { organization, file, bases } = manifest
  const bound = await bindFiles(organization, source, presence)
  if (!bound.ok) return bound
  const { digests, licenses } = bound.value
  return {
    ok: true,
    value: { digests: { ...relativeDigests(file, [...policies, ...bases]), ...digests }, licenses },
  }
}

/** Lists the digests of files by their paths relative to the folder of another file. */
function relativeDigests(
  file: string,
  others: readonly { readonly file: string; readonly digest: string }[],
) {
  return Object.fromEntries(others.map(other => [relative(dirname(file), other.file), other.digest]))
}
