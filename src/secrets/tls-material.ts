import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { type JsonPointer, nameOf } from '../diagnostics/pointer.js'
import type { Tls } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import { resolve, wipeAll } from './resolve.js'
import type { Secret, Secrets } from './secret.js'
import type { SecretSource } from './secret-source.js'
import { tlsPointers, wantedByTls } from './wanted.js'

/** What TLS with a site is set up with, in PEM; lent for as long as one use takes, and wiped afterwards. */
export interface TlsMaterial {
  readonly authorities?: Buffer
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
}

/** What was made of the material, or what is wrong with it. */
export type TlsReply<T> = Result<T, readonly Diagnostic[]>

/**
 * Fetches what the manifest names for TLS, looks whether it can be used, and lends it. Everything that is wrong comes back
 * at once (`file/missing`, `file/unusable`, `secret/missing`, `secret/malformed`); none of it shows a value.
 */
export async function lendTls<T>(
  tls: Tls,
  source: SecretSource,
  use: (material: TlsMaterial) => T,
): Promise<TlsReply<T>> {
  const resolved = await resolve(wantedByTls(tls), source)
  if (!resolved.ok) return resolved
  const { secrets } = resolved.value
  try {
    const diagnostics = [...problems(tls, secrets)]
    if (diagnostics.length > 0) return { ok: false, error: diagnostics }
    const [authorities, certificate, key] = [
      tlsPointers.caFile,
      tlsPointers.certificate,
      tlsPointers.key,
    ].map(pointer => secrets.get(pointer)?.bytes)
    const material = {
      ...(authorities !== undefined && { authorities }),
      ...(certificate !== undefined && key !== undefined && { client: { certificate, key } }),
    }
    return { ok: true, value: use(material) }
  } catch (error) {
    return { ok: false, error: [refusedByOpenSsl(tls, error)] }
  } finally {
    wipeAll(secrets)
  }
}

function* problems({ caFile, client }: Tls, secrets: Secrets): Iterable<Diagnostic> {
  const fileProblem = (pointer: JsonPointer, path: string) => {
    const problem = certificateProblem(secrets.get(pointer))
    return problem === undefined
      ? []
      : [diagnose('file/unusable', pointer, { field: nameOf(pointer), path, problem })]
  }
  if (caFile !== undefined) yield* fileProblem(tlsPointers.caFile, caFile)
  if (client === undefined) return
  const unfit = fileProblem(tlsPointers.certificate, client.certificate)
  yield* unfit
  const key = privateKey(secrets.get(tlsPointers.key))
  const problem =
    typeof key === 'string' ? key : unfit.length > 0 || fits(key, secrets) ? undefined : strangers
  if (problem === undefined) return
  const where =
    'env' in client.privateKey
      ? `the environment variable \`${client.privateKey.env}\``
      : `the file \`${client.privateKey.file}\``
  yield diagnose('secret/malformed', tlsPointers.key, { field: 'privateKey', where, problem })
}

/** What is whole may still be too weak to be used. */
function refusedByOpenSsl({ caFile = '', client }: Tls, error: unknown): Diagnostic {
  const { code = 'no code' } = error as NodeJS.ErrnoException
  const problem = `OpenSSL does not take (${code})`
  return client === undefined
    ? diagnose('file/unusable', tlsPointers.caFile, { field: 'caFile', path: caFile, problem })
    : diagnose('file/unusable', tlsPointers.certificate, {
        field: 'certificate',
        path: client.certificate,
        problem,
      })
}

const strangers = 'is not the key of the certificate beside it'
const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g

/** Why a file holds no certificates that can be used, as the end of a sentence. */
function certificateProblem(file: Secret | undefined): string | undefined {
  const blocks = [...(file?.bytes.toString('latin1') ?? '').matchAll(block)]
  if (blocks.length === 0)
    return 'holds no certificate in PEM; openssl x509 -inform der makes it of a binary one'
  const other = blocks.find(([, kind]) => kind !== 'CERTIFICATE')
  if (other !== undefined) return 'holds something else beside certificates; leave only those'
  return blocks.every(([text]) => isCertificate(text)) ? undefined : 'holds a damaged certificate'
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.byteLength > 0
  } catch {
    return false
  }
}

/** The key, or why there is none. What OpenSSL says of it is left out, for it may quote. */
function privateKey(secret: Secret | undefined): KeyObject | string {
  const bytes = secret?.bytes ?? Buffer.alloc(0)
  if (bytes.includes('ENCRYPTED')) return 'has a passphrase; openssl pkey takes it off'
  try {
    return createPrivateKey({ key: bytes, format: 'pem' })
  } catch {
    return 'is no private key in PEM'
  }
}

function fits(key: KeyObject, secrets: Secrets): boolean {
  return new X509Certificate(secrets.get(tlsPointers.certificate)?.bytes ?? '').checkPrivateKey(key)
}
