import { isRoundedFrom, isSameVersion } from '../contract/versions.js'
import type { SiteFacts } from './observation.js'

/** The facts that identify a site between polls. A fact that a response leaves out proves nothing. Service §2.3. */
export type SiteMark = Pick<SiteFacts, 'version' | 'isRounded' | 'build' | 'emulator'>

/** A fact in which two marks differ. */
export interface MarkDifference {
  readonly kind: 'another-version' | 'another-build' | 'another-emulator'
  readonly was: string
  readonly is: string
}

/** Selects the mark in a response. */
export function selectMark({ version, isRounded, build, emulator }: SiteMark): SiteMark {
  return {
    ...(version !== undefined && { version, ...(isRounded && { isRounded }) }),
    ...(build !== undefined && { build }),
    ...(emulator !== undefined && { emulator }),
  }
}

/** True if the response has neither a version nor a build. */
export function isBlank({ version, build }: SiteMark): boolean {
  return version === undefined && build === undefined
}

/** Finds a fact in which two marks differ. A fact that one of them leaves out is no difference. */
export function findDifference(known: SiteMark, reported: SiteMark): MarkDifference | undefined {
  const { version: was, build: former } = known
  const { version: is, build } = reported
  if (was !== undefined && is !== undefined && !isOneVersion(known, reported))
    return { kind: 'another-version', was, is }
  if (former !== undefined && build !== undefined && former !== build)
    return { kind: 'another-build', was: former, is: build }
  const { emulator: one } = known
  const { emulator: other } = reported
  return one !== undefined && other !== undefined && one !== other
    ? { kind: 'another-emulator', was: one, is: other }
    : undefined
}

/** Merges two marks of one site, and prefers an exact version to a rounded one. */
export function mergeMarks(known: SiteMark, reported: SiteMark): SiteMark {
  const exact = [reported, known].find(({ version, isRounded }) => version !== undefined && !isRounded)
  const { version, isRounded } = exact ?? (reported.version === undefined ? known : reported)
  const build = reported.build ?? known.build
  const emulator = reported.emulator ?? known.emulator
  return selectMark({
    ...(version !== undefined && { version }),
    ...(isRounded && { isRounded }),
    ...(build !== undefined && { build }),
    ...(emulator !== undefined && { emulator }),
  })
}

function isOneVersion(known: SiteMark, reported: SiteMark): boolean {
  const { version: was = '', isRounded: wasRounded } = known
  const { version: is = '', isRounded } = reported
  if (wasRounded && !isRounded) return isRoundedFrom(was, is)
  return isRounded && !wasRounded ? isRoundedFrom(is, was) : isSameVersion(was, is)
}
