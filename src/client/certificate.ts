import { isIP } from 'node:net'
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { ShownCertificate } from '../plan/shown-certificate.js'

/**
 * Returns a function that reads the certificate of a connection that is being made; `undefined` if the server showed none.
 * At the event `secure`, Node verifies the certificate and then destroys the connection with it, so it is read just before.
 */
export function watchCertificate(connecting: unknown): () => ShownCertificate | undefined {
  let chain: readonly DetailedPeerCertificate[] = []
  if (connecting instanceof TLSSocket)
    connecting.prependOnceListener('secure', () => {
      // `getPeerX509Certificate` would take the certificate away from Node's own verification.
      chain = listChain(connecting.getPeerCertificate(true))
    })
  return () => {
    const [own] = chain
    return own && describeChain(own, chain)
  }
}

/** A server may send any number of certificates. */
const maxChain = 10

function listChain(own: DetailedPeerCertificate): readonly DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = []
  // Node returns an empty object if there is no certificate, and a root as its own issuer.
  for (let one: DetailedPeerCertificate | undefined = own; one?.valid_to; one = one.issuerCertificate) {
    if (chain.at(-1) === one || chain.length === maxChain) break
    chain.push(one)
  }
  return chain
}

function describeChain(
  own: DetailedPeerCertificate,
  chain: readonly DetailedPeerCertificate[],
): ShownCertificate {
  const now = Date.now()
  const outdated = chain.find(one => Date.parse(one.valid_from) > now || Date.parse(one.valid_to) < now)
  return {
    names: listNames(own),
    issuer: selectName(chain.at(-1)?.issuer),
    ...(outdated && {
      outdated: {
        name: selectName(outdated.subject) || (listNames(outdated)[0] ?? ''),
        from: formatTime(outdated.valid_from),
        until: formatTime(outdated.valid_to),
        ...(outdated !== own && outdated.issuerCertificate === outdated && ({ isRoot: true } as const)),
      },
    }),
  }
}

/** Lists the names that Node compares with the host: those of the extension, or else the common name. */
function listNames({ subjectaltname, subject }: DetailedPeerCertificate): readonly string[] {
  if (subjectaltname !== undefined)
    return subjectaltname.split(', ').flatMap(one => /^(?:DNS|IP Address):(.*)$/s.exec(one)?.[1] ?? [])
  const name = selectName({ CN: subject?.CN })
  return name === '' || isIP(name) !== 0 ? [] : [name]
}

/** Selects the common name, or else the organization; both may occur several times, whatever the types say. */
function selectName(
  name: { readonly CN?: string | string[] | undefined; readonly O?: string | string[] } = {},
): string {
  const found = name.CN ?? name.O ?? ''
  return typeof found === 'string' ? found : (found[0] ?? '')
}

/** Formats a date of OpenSSL, or returns it as it is. */
function formatTime(text: string): string {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString().replace('.000', '')
}
