import { display } from '../display.js'

/** Explains short codes. Others come from Node, OpenSSL and undici, and are easy to search for. */
const reasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'timed out',
  TOKEN_REJECTED: 'the site rejected the token',
  FILE_CHANGED: 'a file changed while it was sent',
  'no-token': 'no token in the answer',
}

/** The code of a request without an answer, in words where there are better ones. */
export function describeNetworkReason(code: string): string {
  if (Object.hasOwn(reasons, code)) return reasons[code] ?? code
  const [, kind, number] = /^(HTTP|CODE)_(\d+)$/.exec(code) ?? []
  if (kind === undefined) return display(code)
  return `${kind === 'HTTP' ? 'HTTP' : 'code'} ${number}`
}

const certificateFaults: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is from an unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is from an unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
}

/** Describes a fault of a certificate by its code; undefined for any other code. */
export function describeCertificateFault(code: string): string | undefined {
  return Object.hasOwn(certificateFaults, code) ? certificateFaults[code] : undefined
}
