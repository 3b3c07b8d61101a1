import type { JsonValue } from '../schema/json-schema.js'

/** What `landform probe` writes: how a site answers, and no value of it. */
export interface Evidence {
  readonly formatVersion: 1
  /** The version of Landform. */
  readonly tool: string
  /** The day, such as `2026-11-24`. */
  readonly probedOn: string
  readonly observations: readonly EvidenceEntry[]
}

/** One GET, and what came back. */
export interface EvidenceEntry {
  /** The path below the base URL; `{store}` is the identifier of a data store. */
  readonly resource: string
  /** The number of the data store, from 1, in the order of the list of stores. */
  readonly store?: number
  /** True if a token went along. */
  readonly signedIn: boolean
  readonly answer: AnswerShape
  readonly milliseconds: number
}

/** The structure of an answer. Of a body that is not JSON its kind alone is kept. */
export type AnswerShape =
  | { readonly kind: 'json'; readonly status: number; readonly body: JsonValue }
  | {
      readonly kind: 'redirect'
      readonly status: number
      /** `unclear`: without a target, or with one that is no address. */
      readonly to: 'sign-in' | 'slash' | 'elsewhere' | 'unclear'
    }
  /** Nothing is kept of these bodies; a compressed one is not read. */
  | {
      readonly kind: 'html' | 'text' | 'empty' | 'compressed'
      readonly status: number
    }
  /** No complete answer came back. */
  | { readonly kind: 'none' }

/** A longer answer counts as none. */
export const maxBodyBytes = 1024 * 1024
