import { dirname, join, relative } from 'node:path'
import type { Route } from '../client/route.js'
import type { SiteReader } from '../client/site-client.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { findPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Source } from '../manifest/source.js'
import type { Plan } from '../plan/plan.js'
import type { Policy } from '../policy/policy.js'
import { type BoundFiles, bindFiles } from '../secrets/bind-files.js'
import {
  listConfigureReferences,
  listSignInReferences,
  listTlsReferences,
  listUpdateReferences,
} from '../secrets/needed-references.js'
import { type SecretSource, secretSource } from '../secrets/secret-source.js'
import type { TokenProvider } from '../secrets/token-provider.js'
import { withFallback } from '../secrets/with-fallback.js'
import type { StateStore } from '../state/ports.js'

/** A manifest with the files around it. */
export interface LoadedSite {
  readonly manifest: Manifest
  /** The files it was read from, its own first. */
  readonly sources: readonly Source[]
  /** Warnings about the manifest. */
  readonly warnings: readonly Diagnostic[]
  /** The policies that it keeps to, with the digests of their files. */
  readonly policies: readonly Pick<Policy, 'file' | 'digest'>[]
}

/** A site with everything that is needed to look at it, or to change it. */
export interface Site extends Pick<LoadedSite, 'manifest' | 'warnings' | 'policies'> {
  /** Base URL that requests go to. */
  readonly url: string
  /** How requests get there. */
  readonly route: Route
  readonly secrets: SecretSource
  /** Lends the token of the site to who looks at it; it goes to `url` only. */
  readonly provideToken: TokenProvider
  /** What is kept about the site. */
  readonly state: StateStore
  /** Where that is, in the notation of `spec.state`; absent for what does not last. */
  readonly stateLocation?: string | undefined
  /** Digests of the license files, of what the manifest builds on, and of policies; no stand-in of a rehearsal is bound. */
  bind(): Promise<BoundFiles>
}

interface SecretsOptions {
  /** Of the manifest. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where its files are looked for, at the same path, when `root`, which it lies in, lacks them. */
  readonly elsewhere?: { readonly root: string; readonly instead: string } | undefined
}

/** What a plan is to be made with, beside what is there. */
export interface PlanOptions {
  /** Fields whose edits are not to stop the plan. */
  readonly ignored: readonly JsonPointer[]
  /** How long the plan may be used, in milliseconds. */
  readonly lifetimeMs: number
  readonly signal: AbortSignal
}

/** What looks at the site, and the time. */
export interface ReadPorts {
  readonly clock: { now(): number }
  /** In place of the client that only looks. */
  readonly client?: SiteReader | undefined
}

/** A plan, and what is to be told beside it. */
export interface MadePlan {
  readonly plan: Plan
  /** About the manifest, and about the site as it is. */
  readonly warnings: readonly Diagnostic[]
}

/**
 * Where the references of a manifest lead: each file is looked for from the file that names it. It does not keep the manifest,
 * for whoever waits for many sites keeps one of these for each.
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

/** The folder of the file that names something. */
function mapFolders({ organization, site, file, bases, places }: Manifest): (pointer: JsonPointer) => string {
  const wanted = [
    ...listConfigureReferences(organization),
    ...listUpdateReferences(site.token),
    ...listSignInReferences(site),
    ...(site.tls === undefined ? [] : listTlsReferences(site.tls)),
  ]
  const named = bases.length === 0 ? [] : wanted
  return lookUpFolder(
    new Map(named.map(({ pointer }) => [pointer, dirname(findPlace(places, pointer, 'value').file)])),
    dirname(file),
  )
}

function lookUpFolder(
  folders: ReadonlyMap<JsonPointer, string>,
  own: string,
): (pointer: JsonPointer) => string {
  return pointer => folders.get(pointer) ?? own
}

/** Binds the license files, what the manifest builds on and its policies, by their paths from its folder. */
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

/** Digests of files by their paths from the folder of another. */
function relativeDigests(
  file: string,
  others: readonly { readonly file: string; readonly digest: string }[],
) {
  return Object.fromEntries(others.map(other => [relative(dirname(file), other.file), other.digest]))
}
