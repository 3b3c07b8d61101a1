import type { ExploredResource, Unreadable } from '../plan/observation.js'
import type { JsonPointer } from '../schema/pointer.js'
import { display } from './display.js'
import { groupByPart } from './drift.js'
import { unknowableWords } from './field-status.js'
import { formatNumber } from './phrase.js'

/** The results of an adoption. */
interface AdoptionReport {
  readonly url: string
  readonly version: string | null
  readonly manifest: string
  readonly state: string
  readonly assertedAt: string
  /** The person, and the reason. */
  readonly by?: string
  readonly reason?: string
  readonly read: readonly JsonPointer[]
  /** The fields in the record: those that the site reported, and those that a person asserted. */
  readonly asserted: readonly JsonPointer[]
  /** The fields that a person still has to fill in. */
  readonly unknown: readonly JsonPointer[]
  /** The sections that the file only lists as unknown. */
  readonly unread: readonly { readonly pointer: JsonPointer; readonly because: Unreadable }[]
  /** System properties that may be secrets, and were left out of the manifest and the record. */
  readonly leftOut: readonly string[]
  /** Undocumented resources, and whether each was read. */
  readonly resources: readonly ExploredResource[]
}

/** The machine form of an adoption; its schema is `schemas/adopt.schema.json`. */
export function adoptionDocument(report: AdoptionReport) {
  return { formatVersion: 1, ...report } as const
}

/** Formats an adoption for people. */
export function formatAdoption(report: AdoptionReport): string {
  const { url, version, state, assertedAt, read, asserted, unknown, unread, leftOut, resources } = report
  const { by = 'a person', reason } = report
  const answered = resources.filter(({ outcome }) => outcome === 'read')
  const list = (fields: readonly JsonPointer[]) =>
    fields.length === 0 ? 'nothing' : groupByPart(fields.map(pointer => ({ pointer }))).join(', ')
  return [
    display(url),
    `version   ${display(version ?? 'not reported')}`,
    `read      ${list(read)}`,
    `asserted  ${list(asserted)}`,
    `unknown   ${unknown.length === 0 ? 'nothing' : `${formatNumber(unknown.length, 'field')}: ${list(unknown)}`}`,
    ...[...new Set(unread.map(({ because }) => because))].map(reason => {
      const those = unread.filter(({ because }) => because === reason).map(({ pointer }) => pointer)
      const isSilent = reason === 'not-offered' || reason === 'not-asked'
      return `unread    ${list(those)}: ${isSilent ? 'not reported by the site' : unknowableWords[reason]}`
    }),
    ...(leftOut.length === 0
      ? []
      : [`left out  ${leftOut.map(name => display(name)).join(', ')}: may be secrets`]),
    `others    ${answered.length} of ${resources.length} undocumented resources responded`,
    `record    asserted by ${display(by)} on ${assertedAt}, in ${display(state)}`,
    ...(reason === undefined ? [] : [`reason    ${display(reason)}`]),
    '',
  ].join('\n')
}
