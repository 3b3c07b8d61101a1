import { apiVersion, kind, testKind } from '../schema/envelope.js'
import { decodeLoosely, type Source } from './source.js'

/**
 * True for a file that appears to be a manifest: it names the format or the kind, or extends another.
 * Loose on purpose, so that a mistake in either does not exclude a manifest from the check.
 */
export function looksLikeManifest(source: Source): boolean {
  const text = decodeLoosely(source)
  if (isTest(text)) return false
  return text.includes(group) || text.includes(kind) || /^extends[ \t]*:/m.test(text)
}

/** True for a test file, which is not a manifest. */
export function looksLikeTestFile(source: Source): boolean {
  return isTest(decodeLoosely(source))
}

function isTest(text: string): boolean {
  return text.includes(testKind) && ofTests.test(text)
}

const ofTests = new RegExp(`^kind:[ \\t]*["']?${testKind}\\b`, 'm')

const [group = apiVersion] = apiVersion.split('/')
