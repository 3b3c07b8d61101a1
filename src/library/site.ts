import { dirname, relative } from 'node:path'
import type { Route } from '../client/route.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Source } from '../manifest/source.js'
import type { Policy } from '../policy/policy.js'
import { type BoundFiles, bindFiles } from '../secrets/bind-files.js'
import { type SecretSource, secretSource } from '../secrets/secret-source.js'
import type { TokenLoan } from '../secrets/token-loan.js'
import type { StateStore } from '../state/state-store.js'

/** A manifest with the files around it. */
export interface Loaded {
  readonly manifest: Manifest
  /** The files it was read from, its own first. */
  readonly sources: readonly Source[]
  /** Warnings about the manifest. */
  readonly warnings: readonly Diagnostic[]
  /** The policies that it keeps to, with the digests of their files. */
  readonly policies: readonly Pick<Policy, 'file' | 'digest'>[]
}

/** A site with everything that is needed to look at it, or to change it. */
export interface Site extends Pick<Loaded, 'manifest' | 'warnings'> {
  /** Base URL that requests go to. */
  readonly url: string
  /** How requests get there. */
  readonly route: Route
  readonly secrets: SecretSource
  /** Lends the token of the site to who looks at it; it goes to `url` only. */
  readonly lendToken: TokenLoan
  /** What is kept about the site. */
  readonly state: StateStore
  /** Digests of the license files, of what the manifest builds on, and of policies; no stand-in of a rehearsal is bound. */
  bind(): Promise<BoundFiles>
}

/** Where the references of a manifest lead: each file is looked for from the file that names it. */
export function secretsOf(
  manifest: Manifest,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): SecretSource {
  const folderOf = (pointer: JsonPointer) => dirname(manifest.place(pointer, 'value').file)
  return secretSource(environment, folder, folderOf)
}

/** Binds the license files, what the manifest builds on and its policies, by their paths from its folder. */
export async function bindAll(
  { manifest, policies }: Pick<Loaded, 'manifest' | 'policies'>,
  source: SecretSource,
  presence: 'required' | 'optional' = 'required',
): Promise<BoundFiles> {
  const { organization, file, bases } = manifest
  const bound = await bindFiles(organization, source, presence)
  if (!bound.ok) return bound
  return { ...bound, digests: { ...pathsFrom(file, [...policies, ...bases]), ...bound.digests } }
}

/** Digests of files by their paths from the folder of another. */
function pathsFrom(file: string, others: readonly { readonly file: string; readonly digest: string }[]) {
  return Object.fromEntries(others.map(other => [relative(dirname(file), other.file), other.digest]))
}
