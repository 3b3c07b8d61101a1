import { apiVersion, kind } from '../schema/envelope.js'
import type { Source } from './source.js'

/**
 * True when a file found among others is meant as a manifest: it names the format or the kind, or builds on another.
 * Loose on purpose, so that a mistake in either does not hide a manifest from the check.
 */
export function looksLikeManifest({ bytes }: Source): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.includes(group) || text.includes(kind) || /^extends[ \t]*:/m.test(text)
}

const [group = apiVersion] = apiVersion.split('/')
