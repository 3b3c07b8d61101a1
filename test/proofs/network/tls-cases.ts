import type { TlsOptions } from 'node:tls'
import {
  type Authority,
  anAuthority,
  type Certificate,
  type CertificateWishes,
  weakKeys,
} from '../../support/certificate.js'
import { type HttpDouble, http, httpDouble, json, type Rule } from '../../support/http-double.js'

/** Every host name of the sites. */
export const names = ['localhost', 'gis.example.org', 'elsewhere.example.org', '127.0.0.1']

/** The authority that manifests trust. */
export interface Trusted {
  readonly authority: Authority
  readonly client: Certificate
}

export function someTrust(): Trusted {
  const authority = anAuthority('An authority of our own', { isAuthority: true })
  return { authority, client: authority.issue('landform') }
}

/** A server that must not be trusted, at the address of a site. */
export interface TlsCase {
  readonly what: string
  /** The exit codes if nothing was sent yet. */
  readonly exitCodes: readonly number[]
  /** The cause in the output; versions of OpenSSL name some differently. */
  readonly reason: RegExp
  /** Starts the server; `received` has the decrypted or plain bytes. */
  start(trusted: Trusted): Promise<HttpDouble>
  /** How a careless client sends a request to it, if it can. */
  readonly careless: 'over TLS' | 'in clear' | 'never'
  /** The host name, if it is not `localhost`. */
  readonly host?: string
  /** True if only the first connection meets it, because the outcome of a request would be unknown. */
  readonly isFirstOnly?: true
}

/** Answers a client that trusts the server, so that it does not hang. */
const answers: readonly Rule[] = [{ on: 'head', reply: [json({}), { close: 'end' }] }]

const old = (version: 'TLSv1' | 'TLSv1.1'): TlsOptions => ({
  minVersion: version,
  maxVersion: version,
  ciphers: 'ALL@SECLEVEL=0',
})

function wrong(certificateOf: (trusted: Trusted) => Certificate, options: TlsOptions = {}): TlsCase['start'] {
  return async trusted => httpDouble(answers, { ...certificateOf(trusted), ...options })
}

const issued =
  (wishes: CertificateWishes) =>
  ({ authority }: Trusted) =>
    authority.issue('localhost', { names, ...wishes })

const unverified = { exitCodes: [77], careless: 'over TLS' } as const
const weak: TlsOptions = { ciphers: 'DEFAULT@SECLEVEL=0' }

/** Each connection that must not be trusted. */
export const tlsCases: readonly TlsCase[] = [
  {
    ...unverified,
    what: 'a self-signed certificate',
    reason: /DEPTH_ZERO_SELF_SIGNED_CERT/,
    start: wrong(() => anAuthority('localhost', { names })),
  },
  {
    ...unverified,
    what: 'a certificate of an unknown authority',
    reason: /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY/,
    start: wrong(() => anAuthority('Nobody knows me').issue('localhost', { names })),
  },
  {
    ...unverified,
    what: 'a certificate of another authority with the same name',
    reason: /CERT_SIGNATURE_FAILURE|UNABLE_TO_/,
    start: wrong(() => someTrust().authority.issue('localhost', { names })),
  },
  {
    ...unverified,
    what: 'a certificate of another host',
    reason: /ERR_TLS_CERT_ALTNAME_INVALID/,
    start: wrong(issued({ names: ['www.example.org', 'localhost.example.org'] })),
  },
  {
    ...unverified,
    what: 'a certificate with the address only in its common name',
    reason: /ERR_TLS_CERT_ALTNAME_INVALID/,
    start: wrong(({ authority }) => authority.issue('127.0.0.1', { names: ['localhost'] })),
    host: '127.0.0.1',
  },
  {
    ...unverified,
    what: 'a certificate that has expired',
    reason: /CERT_HAS_EXPIRED/,
    start: wrong(issued({ until: '210101000000Z' })),
  },
  {
    ...unverified,
    what: 'a certificate that is not valid yet',
    reason: /CERT_NOT_YET_VALID/,
    start: wrong(issued({ from: '480101000000Z' })),
  },
  {
    ...unverified,
    what: 'a chain without its intermediate authority',
    reason: /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY/,
    start: wrong(({ authority }) =>
      authority.issue('Between', { isAuthority: true }).issue('localhost', { names }),
    ),
  },
  {
    ...unverified,
    what: 'a certificate signed by a site instead of an authority',
    reason: /INVALID_CA|INVALID_PURPOSE|UNABLE_TO_/,
    start: wrong(({ authority }) => {
      const site = authority.issue('www.example.org', { names: ['www.example.org'] })
      const { cert, key } = site.issue('localhost', { names })
      return { cert: cert + site.cert, key }
    }),
  },
  {
    ...unverified,
    what: 'a key that is too weak',
    reason: /KEY_TOO_SMALL|UNSPECIFIED/,
    start: async trusted => httpDouble(answers, { ...issued({ keys: weakKeys() })(trusted), ...weak }),
  },
  {
    ...unverified,
    what: 'a signature with SHA-1',
    reason: /MD_TOO_WEAK|UNSPECIFIED/,
    start: wrong(issued({ digest: 'sha1' }), weak),
  },
  {
    ...unverified,
    what: 'TLS 1.0',
    reason: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    start: wrong(issued({}), old('TLSv1')),
  },
  {
    ...unverified,
    what: 'TLS 1.1',
    reason: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/,
    start: wrong(issued({}), old('TLSv1.1')),
  },
  {
    exitCodes: [77],
    careless: 'over TLS',
    what: 'a site that requires a client certificate, over TLS 1.2',
    reason: /SSL|HANDSHAKE/,
    start: asksWho({ maxVersion: 'TLSv1.2' }),
  },
  {
    // With TLS 1.3, a client may send before the server rejects it, so nothing proves that the server read no request.
    exitCodes: [4, 69, 75, 77],
    careless: 'over TLS',
    what: 'a site that requires a client certificate',
    reason: /CERTIFICATE_REQUIRED|SSL|ECONNRESET|SOCKET/,
    start: asksWho({}),
    isFirstOnly: true,
  },
  {
    exitCodes: [69],
    careless: 'never',
    what: 'a port that never responds',
    reason: /timed out/,
    start: () => httpDouble([]),
  },
  {
    // Like a server that requires a client certificate, and gives no reason.
    exitCodes: [77],
    careless: 'never',
    what: 'a connection that is closed at once',
    reason: /ECONNRESET|UND_ERR_SOCKET|EPIPE/,
    start: () => httpDouble([{ on: 'connection', reply: { close: 'destroy' } }]),
  },
  {
    exitCodes: [77],
    careless: 'in clear',
    what: 'plain HTTP on the port',
    reason: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
    start: () => httpDouble([{ on: 'bytes', reply: http(400, '') }]),
  },
]

function asksWho(options: TlsOptions): TlsCase['start'] {
  return async trusted =>
    httpDouble(answers, {
      ...issued({})(trusted),
      ...options,
      requestCert: true,
      rejectUnauthorized: true,
      ca: trusted.authority.cert,
    })
}
