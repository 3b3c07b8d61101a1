import { apiVersion, kind, testKind } from '../schema/envelope.js'
import type { Source } from './source.js'

/**
 * True for a file that appears to be a manifest: it names the format or the kind, or extends another.
 * Loose on purpose, so that a mistake in either does not exclude a manifest from the check.
 */
export function looksLikeManifest(source: Source): boolean {
  const text = decodeLatin1(source)
  if (isTest(text)) return false
  return text.includes(group) || text.includes(kind) || /^extends[ \t]*:/m.test(text)
}

/** True for a test file, which is not a manifest. */
export function looksLikeTestFile(source: Source): boolean {
  return isTest(decodeLatin1(source))
}

function isTest(text: string): boolean {
  return text.includes(testKind) && ofTests.test(text)
}

function decodeLatin1({ bytes }: Source): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

const ofTests = new RegExp(`^kind:[ \\t]*["']?${testKind}\\b`, 'm')

const [group = apiVersion] = apiVersion.split('/')
