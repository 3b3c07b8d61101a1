import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { exitCodes } from '../../src/report/exit-code.js'
import { type Authority, anAuthority, type Certificate } from '../support/certificate.js'
import { httpDouble, json } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const names = ['localhost']
const authority = anAuthority('Our Authority', { isAuthority: true })
const between = authority.issue('Between', { isAuthority: true })
const right = between.issue('localhost', { names })
const old = { until: '210101000000Z' } as const
const oldBetween = authority.issue('Old', { isAuthority: true, ...old })
const oldAuthority = anAuthority('Our Old Authority', { isAuthority: true, ...old })

/** The certificates that a server sends: its own, and those of its issuers. */
function sends(own: Authority, ...more: readonly Authority[]): Certificate {
  return { cert: [own, ...more].map(({ cert }) => cert).join(''), key: own.key }
}

interface Rejected {
  readonly what: string
  readonly shows: Certificate
  /** The certificates in the CA file of the manifest; if missing, there is no such file. */
  readonly caFile?: readonly Authority[]
  readonly code: string
  readonly says: string
  readonly next: string
  readonly host?: string
}

const inFile = '`tls/authority.pem`, the `caFile` of the manifest'
const unknown =
  'if the authority is your own, name its certificate in `spec.site.tls.caFile`; otherwise check the address of the site'

const rejected: readonly Rejected[] = [
  {
    what: 'for other names',
    shows: authority.issue('www', { names: ['www.example.org', '*.example.com', '10.0.0.1'] }),
    caFile: [authority],
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    says: 'the certificate is for another host name: `www.example.org`, `*.example.com`, `10.0.0.1`',
    next: 'use a name of the certificate in the address, or give the server a certificate for the name there',
  },
  {
    what: 'for too many names to list',
    shows: authority.issue('www', { names: 'abcdefg'.split('').map(name => `${name}.example.org`) }),
    caFile: [authority],
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    says: '`a.example.org`, `b.example.org`, `c.example.org`, `d.example.org`, `e.example.org` and 2 more',
    next: 'use a name of the certificate in the address, or give the server a certificate for the name there',
  },
  {
    what: 'with only a common name',
    shows: authority.issue('www.example.org'),
    caFile: [authority],
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    says: 'the certificate is for another host name: `www.example.org`',
    next: 'use a name of the certificate in the address, or give the server a certificate for the name there',
  },
  {
    what: 'with an address as its common name, which is ignored',
    shows: authority.issue('127.0.0.1'),
    caFile: [authority],
    host: '127.0.0.1',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    says: 'the certificate names no host',
    next: 'give the server a certificate for the host name in the address',
  },
  {
    what: 'that has expired',
    shows: authority.issue('localhost', { names, ...old }),
    caFile: [authority],
    code: 'CERT_HAS_EXPIRED',
    says: 'the certificate of `localhost` has expired: valid from 2020-01-01T00:00:00Z to 2021-01-01T00:00:00Z',
    next: 'renew the certificate on the server; if it should be valid, check the clock of this machine',
  },
  {
    what: 'whose intermediate certificate has expired',
    shows: sends(oldBetween.issue('localhost', { names }), oldBetween),
    caFile: [authority],
    code: 'CERT_HAS_EXPIRED',
    says: 'the certificate of `Old` has expired: valid from 2020-01-01T00:00:00Z to 2021-01-01T00:00:00Z',
    next: 'renew the certificate on the server; if it should be valid, check the clock of this machine',
  },
  {
    what: 'of a trusted authority that has expired',
    shows: oldAuthority.issue('localhost', { names }),
    caFile: [oldAuthority],
    code: 'CERT_HAS_EXPIRED',
    says: 'the certificate of `Our Old Authority` has expired: valid from 2020-01-01T00:00:00Z to 2021-01-01T00:00:00Z',
    next: `add the present certificate of the authority to ${inFile}`,
  },
  {
    what: 'that is not valid yet',
    shows: authority.issue('localhost', { names, from: '480101000000Z' }),
    caFile: [authority],
    code: 'CERT_NOT_YET_VALID',
    says: 'the certificate of `localhost` is not valid yet: valid from 2048-01-01T00:00:00Z to 2049-12-31T23:59:59Z',
    next: 'check the clock of this machine; if it is right, give the server a certificate that is valid now',
  },
  {
    what: 'that is self-signed',
    shows: anAuthority('localhost', { names }),
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    says: 'the certificate is self-signed',
    next: 'if it is the certificate of your site, name it in `spec.site.tls.caFile`; otherwise check the address of the site',
  },
  {
    what: 'that is self-signed, with another one in the file',
    shows: anAuthority('localhost', { names }),
    caFile: [authority],
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    says: 'the certificate is self-signed',
    next: `if it is the certificate of your site, add it to ${inFile}; otherwise check the address of the site`,
  },
  {
    what: 'of an unknown authority, with its intermediate certificate',
    shows: sends(right, between),
    code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    says: 'the certificate is from an unknown authority, `Our Authority`',
    next: unknown,
  },
  {
    what: 'of an unknown authority, with the whole chain',
    shows: sends(right, between, authority),
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
    says: 'the certificate is from an unknown authority, `Our Authority`',
    next: unknown,
  },
  {
    what: 'of another authority than the one in the file',
    shows: sends(right, between, authority),
    caFile: [anAuthority('Another Authority', { isAuthority: true })],
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
    says: 'the certificate is from an unknown authority, `Our Authority`',
    next: `if the authority is your own, add its certificate to ${inFile}; otherwise check the address of the site`,
  },
  {
    what: 'without its intermediate certificate',
    shows: right,
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    says: 'the certificate is from an unknown authority, `Between`',
    next: 'if the authority is your own, name its certificate in `spec.site.tls.caFile`; otherwise make the server send its intermediate certificate',
  },
  {
    what: 'without its intermediate certificate, of the authority in the file',
    shows: right,
    caFile: [authority],
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    says: 'the certificate is from an unknown authority, `Between`',
    next: `make the server send its intermediate certificate, or add the certificate of this authority to ${inFile}`,
  },
  {
    what: 'of a new authority with the name of the one in the file',
    shows: anAuthority('Our Authority', { isAuthority: true }).issue('localhost', { names }),
    caFile: [authority],
    code: 'CERT_SIGNATURE_FAILURE',
    says: 'the certificate is not from the trusted authority, but from another of the same name, `Our Authority`',
    next: `add the present certificate of the authority to ${inFile}`,
  },
]

const accepted: readonly Pick<Rejected, 'what' | 'shows' | 'caFile'>[] = [
  { what: 'a chain of the authority in the file', shows: sends(right, between), caFile: [authority] },
  {
    what: 'a chain whose intermediate certificate was added to the file',
    shows: right,
    caFile: [authority, between],
  },
  {
    what: 'a self-signed certificate that is in the file',
    shows: sends(anAuthority('localhost', { names })),
  },
]

const root = { fullVersion: '11.2.0', resources: ['orgs'], currentVersion: 11.2, status: {} }

async function call(
  command: string,
  { shows, caFile, host = 'localhost' }: Pick<Rejected, 'shows' | 'caFile' | 'host'>,
) {
  const { port, received } = await httpDouble([{ reply: json(root) }], shows)
  const folder = await temporaryFolder()
  const manifest = parse(readFileSync('examples/quickstart.yaml', 'utf8'))
  const tls = caFile && { caFile: 'tls/authority.pem' }
  manifest.spec.site = { ...manifest.spec.site, url: `https://${host}:${port}/admin`, ...(tls && { tls }) }
  manifest.spec.license = { file: 'license.json' }
  mkdirSync(join(folder, 'tls'))
  writeFileSync(join(folder, 'license.json'), '{}')
  writeFileSync(join(folder, 'site.yaml'), stringify(manifest))
  writeFileSync(join(folder, 'tls/authority.pem'), (caFile ?? []).map(({ cert }) => cert).join(''))
  const args = [command, join(folder, 'site.yaml'), '--format', 'json', '--state', 'file:state']
  const { exitCode, out, err } = await landform(args, { environment: someSecrets, folder })
  return { exitCode, received, out, err }
}

describe('a certificate', () => {
  test.each(rejected)(
    '$what: the message has the cause and the next step',
    async ({ code, says, next, ...site }) => {
      const { exitCode, out, received } = await call('plan', site)
      const { error } = JSON.parse(out)
      expect(error.message).toMatch(new RegExp(`: could not verify the TLS connection: .*\\(${code}\\)$`))
      expect(error.message).toContain(`${says} (${code})`)
      expect(error.next).toBe(next)
      expect(exitCode).toBe(exitCodes.permission)
      expect(received.join('')).toBe('')
    },
  )

  test.each(accepted)('accepts $what', async ({ shows, caFile }) => {
    const trusted = caFile ?? [shows as Authority]
    const { exitCode, err } = await call('status', { shows, caFile: trusted })
    expect(err).not.toContain('TLS')
    expect(exitCode).toBe(exitCodes.done)
  })
})

test('a server without TLS: the message does not suggest a certificate', async () => {
  const { port } = await httpDouble([{ on: 'bytes', reply: 'HTTP/1.1 400 Bad Request\r\n\r\n' }])
  const args = ['status', 'examples/quickstart.yaml', '--url', `https://localhost:${port}/admin`]
  const { exitCode, err } = await landform(args, { environment: someSecrets })
  expect(exitCode).toBe(exitCodes.permission)
  expect(err).toContain('check the port of the site: this one does not use https')
  expect(err).not.toContain('caFile')
})

test.each(['\u001b[31m', '\u202e', '\nerror: nothing', '` `rm -rf /'])(
  'the text of a certificate is escaped: %j',
  async text => {
    const { exitCode, out } = await call('status', {
      shows: authority.issue(`w${text}`, { names: [`w${text}`] }),
      caFile: [authority],
    })
    expect(exitCode).toBe(exitCodes.permission)
    const { message } = JSON.parse(out).error
    expect(message).not.toMatch(/[^ -~]/)
    expect(message).toMatch(/: `"?w.*` \(ERR_TLS_CERT_ALTNAME_INVALID\)$/)
  },
)
