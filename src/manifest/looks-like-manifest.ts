import { apiVersion, kind, testKind } from '../schema/envelope.js'
import type { Source } from './source.js'

/**
 * True when a file found among others is meant as a manifest: it names the format or the kind, or builds on another.
 * Loose on purpose, so that a mistake in either does not hide a manifest from the check.
 */
export function looksLikeManifest({ bytes }: Source): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (text.includes(testKind) && ofTests.test(text)) return false
  return text.includes(group) || text.includes(kind) || /^extends[ \t]*:/m.test(text)
}

/** What is expected of a manifest is none. */
const ofTests = new RegExp(`^kind:[ \\t]*["']?${testKind}\\b`, 'm')

const [group = apiVersion] = apiVersion.split('/')
