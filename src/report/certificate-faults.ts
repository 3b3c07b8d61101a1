import type { ServiceFailure } from '../client/failure.js'
import type { ShownCertificate } from '../plan/shown-certificate.js'
import { display } from './display.js'

/** The certificate of a site. Nothing is known about that of a proxy. */
type Shown = Partial<ShownCertificate>

/** Describes the fault of a certificate, and suggests a remedy; `caFile` is that of the manifest. */
interface CertificateFault {
  describe(shown: Shown): string
  suggest(caFile: string | undefined, shown: Shown): string
}

const unknownAuthority: CertificateFault = {
  describe: ({ issuer }) => `the certificate is from an unknown authority${quote(', ', issuer)}`,
  suggest: caFile =>
    `if the authority is your own, ${formatTrusting('its certificate', caFile)}; otherwise check the address of the site`,
}

/** The remedy if a server requests a client certificate, or ends the handshake as if it did. */
export const clientCertificateRemedy =
  'if the server requires a client certificate, name one that it trusts, and its key, in `spec.site.tls.client`'

const handshakeEnded: CertificateFault = {
  describe: () => 'the server ended the TLS handshake; it may require a client certificate',
  suggest: () => `${clientCertificateRemedy}; otherwise check that it offers TLS 1.2 or newer`,
}

const unfitClient: CertificateFault = {
  describe: () => 'the server requires a client certificate that it trusts',
  suggest: () => clientCertificateRemedy,
}

/** The faults by error code of Node. */
const certificateFaults: Readonly<Record<string, CertificateFault>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: {
    describe: ({ names }) =>
      names?.length === 0
        ? 'the certificate names no host'
        : `the certificate is for another host name${quote(': ', ...(names ?? []))}`,
    suggest: (_, { names = [] }) =>
      names.length === 0
        ? 'give the server a certificate for the host name in the address'
        : 'use a name of the certificate in the address, or give the server a certificate for the name there',
  },
  CERT_HAS_EXPIRED: {
    describe: ({ outdated }) => describeOutdated(outdated, 'has expired'),
    suggest: (caFile, { outdated }) =>
      outdated?.isRoot
        ? formatTrusting('the present certificate of the authority', caFile)
        : 'renew the certificate on the server; if it should be valid, check the clock of this machine',
  },
  CERT_NOT_YET_VALID: {
    describe: ({ outdated }) => describeOutdated(outdated, 'is not valid yet'),
    suggest: () =>
      'check the clock of this machine; if it is right, give the server a certificate that is valid now',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    describe: () => 'the certificate is self-signed',
    suggest: caFile =>
      `if it is the certificate of your site, ${formatTrusting('it', caFile)}; otherwise check the address of the site`,
  },
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  // The server sent no intermediate certificate.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    ...unknownAuthority,
    suggest: caFile =>
      caFile === undefined
        ? `if the authority is your own, ${formatTrusting('its certificate', caFile)}; otherwise make the server send its intermediate certificate`
        : `make the server send its intermediate certificate, or ${formatTrusting('the certificate of this authority', caFile)}`,
  },
  UNABLE_TO_GET_ISSUER_CERT: {
    describe: () => 'a trusted certificate is from an unknown authority',
    suggest: caFile => `${formatTrusting('the root certificate of the authority', caFile)}, too`,
  },
  // Some servers close the connection without an alert.
  ECONNRESET: handshakeEnded,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: handshakeEnded,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: unfitClient,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: unfitClient,
  ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE: unfitClient,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED: unfitClient,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: unfitClient,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: unfitClient,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: unfitClient,
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: unfitClient,
  ERR_SSL_WRONG_VERSION_NUMBER: {
    describe: () => 'the server responds without TLS',
    suggest: () => 'check the port of the site: this one does not use https',
  },
  CERT_SIGNATURE_FAILURE: {
    describe: ({ issuer }) =>
      `the certificate is not from the trusted authority, but from another of the same name${quote(', ', issuer)}`,
    suggest: caFile => formatTrusting('the present certificate of the authority', caFile),
  },
}

/** Describes the fault of a certificate; `undefined` for other codes. */
export function describeCertificateFault(
  code: string,
  shown: ShownCertificate | undefined,
): string | undefined {
  return findFault(code)?.describe(shown ?? {})
}

/** Tests whether TLS failed because one side rejected the other. A reset before the request counts as a failed handshake. */
export function isTlsFailure(failure: ServiceFailure): boolean {
  if (failure.kind === 'no-answer') return failure.reason.startsWith('ERR_SSL_')
  if (failure.kind !== 'not-sent') return false
  return failure.cause === 'tls' || (failure.cause === 'connection' && failure.reason === 'ECONNRESET')
}

/** Suggests what to do about a TLS failure; `undefined` for other failures. */
export function suggestTlsRemedy(failure: ServiceFailure, caFile: string | undefined): string | undefined {
  if (!isTlsFailure(failure) || !('reason' in failure)) return undefined
  const certificate = failure.kind === 'not-sent' ? failure.certificate : undefined
  const remedy = findFault(failure.reason ?? '')?.suggest(caFile, certificate ?? {})
  return remedy ?? 'check the address and the port of the site, and that it offers TLS 1.2 or newer there'
}

function findFault(code: string): CertificateFault | undefined {
  return Object.hasOwn(certificateFaults, code) ? certificateFaults[code] : undefined
}

function formatTrusting(what: string, caFile: string | undefined): string {
  return caFile === undefined
    ? `name ${what} in \`spec.site.tls.caFile\``
    : `add ${what} to \`${display(caFile)}\`, the \`caFile\` of the manifest`
}

function describeOutdated(outdated: Shown['outdated'], fault: string): string {
  if (outdated === undefined) return `the certificate ${fault}`
  const { name, from, until } = outdated
  return `the certificate${quote(' of ', name)} ${fault}: valid from ${display(from, 40)} to ${display(until, 40)}`
}

const maxNames = 5
const maxCharacters = 100

/** Quotes the first texts of a certificate, and counts the others; empty if there are none. */
function quote(before: string, ...texts: readonly (string | undefined)[]): string {
  const quoted = texts.flatMap(text => (text ? [`\`${display(text, maxCharacters)}\``] : []))
  if (quoted.length === 0) return ''
  const more = quoted.length > maxNames ? ` and ${quoted.length - maxNames} more` : ''
  return `${before}${quoted.slice(0, maxNames).join(', ')}${more}`
}
