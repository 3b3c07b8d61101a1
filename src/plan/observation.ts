import type { JsonObject } from '../schema/json-schema.js'

/** One stage as the service reports it; `state` and `name` are its words, known or not. Service §2.3. */
export interface StageRecord {
  readonly name: string
  readonly state: string
  /** Milliseconds since 1970 by the clock of the service; for display only. */
  readonly startTime?: number
  readonly lastUpdated?: number
}

/** What the root resource said beside the state. */
export interface SiteFacts {
  /** `fullVersion`, as the site spells it. */
  readonly version?: string
  readonly message?: string
  readonly warnings: readonly string[]
  readonly stages: readonly StageRecord[]
  /** True where only `currentVersion` tells the version, which leaves numbers out. */
  readonly isRounded?: true
  /** `info.build`. */
  readonly build?: string
  /** Documented parts that are of another type than the document shows, by their paths; they count as absent. */
  readonly malformed?: readonly string[]
  /** True where nobody looked, and this is only what the site is taken to be. */
  readonly assumed?: true
}

/**
 * What a site is, as far as its root resource tells. `unrecognized` stands for every state that the service
 * document does not show and the field notes do not know: it is never taken for another. Service §2.3, §3.
 */
export type Observation =
  /** `implied` where the answer had no `status` at all: while a configuration is awaited that means nothing. */
  | ({ readonly kind: 'not-configured'; readonly implied?: true } & SiteFacts)
  | ({ readonly kind: 'in-progress' } & SiteFacts)
  | ({ readonly kind: 'ready' } & SiteFacts)
  | ({ readonly kind: 'failed' } & SiteFacts)
  | ({
      readonly kind: 'unrecognized'
      readonly state: string
      /** What speaks against the state, where that is known and yet not believed. */
      readonly contradiction?: Contradiction
    } & SiteFacts)

/** A sign of a configuration at a site that says that it has none. */
export type Contradiction =
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'stage'; readonly name: string; readonly state: string }

/** A value that the site told, or why it did not. */
export type Readable<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unreadable'; readonly because: Unreadable }

/**
 * Why a site does not tell a setting. The service document shows no way to read one, so a site that offers none is
 * nothing unusual.
 */
export type Unreadable =
  /** Not asked: the site is not ready, or the command looks at no settings. */
  | 'not-asked'
  /** The site knows no such resource. */
  | 'not-offered'
  /** The site wants a token, and none is at hand. */
  | 'no-token'
  /** The token is not accepted, or its role is not enough. */
  | 'not-allowed'
  /** An upgrade is under way, and what belongs to upgrades cannot be reached meanwhile. */
  | 'upgrading'
  /** What came is of no shape that is reported. */
  | 'not-understood'
  /** Nothing whole came back, or the site is in trouble. */
  | 'no-answer'

/** What some sites tell of themselves beside the root resource: found at run time, never relied on. */
export interface SiteSettings {
  /** The upgrade configuration as the site has it, with keys that Landform does not know. */
  readonly upgradeConfig: Readable<JsonObject>
  /** Name of the architecture profile. */
  readonly profile: Readable<string>
  readonly logLevel: Readable<string>
  readonly systemProperties: Readable<JsonObject>
}

/** The settings of a site that was not asked, or that tells none, for one reason. */
export function noSettings(because: Unreadable): SiteSettings {
  const unread = { kind: 'unreadable', because } as const
  return { upgradeConfig: unread, profile: unread, logLevel: unread, systemProperties: unread }
}
