import type { ProxyDefect } from '../../client/proxy.js'
import { type Wording, wordingFor } from '../../diagnostics/wording.js'
import { display } from '../display.js'

const defects: Wording<ProxyDefect> = {
  'not-a-url': () => 'is not a URL',
  'unsupported-scheme': ({ scheme }) =>
    `names a ${display(scheme)} proxy; only http and https proxies are supported`,
  'invalid-escape': () => 'contains a % that starts no escape; write a literal % as %25',
}

/** The reason that a proxy cannot be used, as the end of a sentence about its URL. */
export function describeProxyDefect(defect: ProxyDefect): string {
  return wordingFor(defects, defect)
}
