import type { Diagnostic } from './diagnostic.js'
import { quote } from './words.js'

/** An address that replaces the one in the manifest, and its origin. */
export interface ReplacedAddress {
  readonly url: string
  readonly by: 'url-option' | 'program'
}

const origins: Readonly<Record<ReplacedAddress['by'], string>> = {
  'url-option': '--url',
  program: 'the program',
}

/** Adds the actual address to a diagnostic about the address in the manifest. */
export function withReplacedAddress(diagnostic: Diagnostic, { url, by }: ReplacedAddress): Diagnostic {
  return { ...diagnostic, message: `${diagnostic.message}; ${origins[by]} replaces it with ${quote(url)}` }
}
