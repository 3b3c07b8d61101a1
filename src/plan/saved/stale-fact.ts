import type { Observation, SiteSettings } from '../observation.js'

type Changed<K> = K extends string ? { readonly kind: K; readonly was: string; readonly is: string } : never

/** A reason why a saved plan may not be applied any more. */
export type StaleFact =
  | { readonly kind: 'manifest' }
  /** A file that the manifest builds on or refers to; missing counts as changed. */
  | { readonly kind: 'file'; readonly file: string }
  | Changed<'address' | 'state-location' | 'tool' | 'schema' | 'site-build'>
  | {
      readonly kind: 'site-state'
      readonly was: Observation['kind'] | 'not-observed'
      readonly is: Observation['kind'] | 'not-observed'
    }
  /** Null where the site did not report its version. */
  | { readonly kind: 'site-version'; readonly was: string | null; readonly is: string | null }
  | { readonly kind: 'site-setting'; readonly setting: keyof SiteSettings }
  /** Serials of the apply record. */
  | { readonly kind: 'record'; readonly was: number; readonly is: number }
  /** Another record has the same serial. */
  | { readonly kind: 'record-replaced'; readonly serial: number }
  | { readonly kind: 'created-in-future'; readonly createdAt: string }
  | { readonly kind: 'expired'; readonly expiresAt: string }
  /** Another run wrote the state after the plan was confirmed. */
  | { readonly kind: 'state-written' }
  /** The site showed signs of a configuration while a poll of a minute expected none. */
  | { readonly kind: 'site-not-idle' }
  | { readonly kind: 'used'; readonly usedAt: string }
  /** A plan made now from the same facts is another one. */
  | { readonly kind: 'other-plan' }
  /** The plan was made from `manifest`, and the user named another one. */
  | { readonly kind: 'other-manifest'; readonly manifest: string; readonly named: string }
  /** The manifest is in none of the folders where a plan may name it. */
  | { readonly kind: 'manifest-elsewhere'; readonly manifest: string }
