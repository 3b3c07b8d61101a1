import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { ReferenceDefect } from '../diagnostics/reference-defect.js'
import type { TlsSettings } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import { readLastSegment } from '../schema/pointer.js'
import { listTlsFiles, listTlsReferences, type NeededFile, tlsPointers } from './needed-references.js'
import { resolve, wipeAll } from './resolve.js'
import type { Secret, Secrets } from './secret.js'
import type { SecretSource } from './secret-source.js'

/** The TLS material for a site, in PEM; provided for one use and wiped afterwards. */
export interface TlsMaterial {
  readonly authorities?: Buffer
  readonly client?: { readonly certificate: Buffer; readonly key: Buffer }
}

/** The result of using the material, or the problems in it. */
type TlsReply<T> = Result<T, readonly Diagnostic[]>

/**
 * Fetches the TLS material that the manifest names, checks it, and provides it for one use. All problems are returned at
 * once (`file/missing`, `file/unusable`, `secret/missing`, `secret/malformed`); none shows a value.
 */
export async function withTlsMaterial<T>(
  tls: TlsSettings,
  source: SecretSource,
  use: (material: TlsMaterial) => T,
): Promise<TlsReply<T>> {
  const resolved = await resolve(listTlsReferences(tls), source)
  if (!resolved.ok) return resolved
  const { secrets } = resolved.value
  try {
    const diagnostics = [...checkMaterial(tls, secrets)]
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
    return { ok: false, error: [toOpenSslDiagnostic(tls, error)] }
  } finally {
    wipeAll(secrets)
  }
}

/** Checks a file of certificates; reports a missing one, too (`file/missing`, `file/unusable`). */
export async function checkCertificates(
  file: NeededFile,
  source: SecretSource,
): Promise<readonly Diagnostic[]> {
  const resolved = await resolve([file], source)
  return resolved.ok ? findCertificateProblem(file, resolved.value.secrets) : resolved.error
}

function findCertificateProblem({ pointer, path }: NeededFile, secrets: Secrets): readonly Diagnostic[] {
  const defect = findCertificateDefect(secrets.get(pointer))
  return defect === undefined
    ? []
    : [diagnose('file/unusable', pointer, { field: readLastSegment(pointer), path, defect })]
}

function* checkMaterial(tls: TlsSettings, secrets: Secrets): Iterable<Diagnostic> {
  const invalid = listTlsFiles(tls).flatMap(file => findCertificateProblem(file, secrets))
  yield* invalid
  const { client } = tls
  if (client === undefined) return
  const hasCertificate = invalid.every(({ pointer }) => pointer !== tlsPointers.certificate)
  const defect = findKeyDefect(secrets, hasCertificate)
  if (defect !== undefined)
    yield diagnose('secret/malformed', tlsPointers.key, {
      field: 'privateKey',
      place: client.privateKey,
      defect,
    })
}

/** OpenSSL may also reject a complete file, such as a key that is too short. */
function toOpenSslDiagnostic({ caFile = '', client }: TlsSettings, error: unknown): Diagnostic {
  const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException
  const defect = { kind: 'openssl-rejected', code } as const
  return client === undefined
    ? diagnose('file/unusable', tlsPointers.caFile, { field: 'caFile', path: caFile, defect })
    : diagnose('file/unusable', tlsPointers.certificate, {
        field: 'certificate',
        path: client.certificate,
        defect,
      })
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g

/** Finds the reason why a file contains no usable certificates. */
function findCertificateDefect(file: Secret | undefined): ReferenceDefect | undefined {
  const blocks = [...(file?.bytes.toString('latin1') ?? '').matchAll(block)]
  if (blocks.length === 0) return { kind: 'no-certificate' }
  if (blocks.some(([, kind]) => kind !== 'CERTIFICATE')) return { kind: 'other-pem-block' }
  return blocks.every(([text]) => isCertificate(text)) ? undefined : { kind: 'damaged-certificate' }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.byteLength > 0
  } catch {
    return false
  }
}

/** Finds the reason why the key cannot be used. Leaves out the message of OpenSSL, which may quote the key. */
function findKeyDefect(secrets: Secrets, hasCertificate: boolean): ReferenceDefect | undefined {
  const bytes = secrets.get(tlsPointers.key)?.bytes ?? Buffer.alloc(0)
  if (bytes.includes('ENCRYPTED')) return { kind: 'encrypted-key' }
  const key = parseKey(bytes)
  if (key === undefined) return { kind: 'no-private-key' }
  return !hasCertificate || matchesCertificate(key, secrets)
    ? undefined
    : { kind: 'key-of-another-certificate' }
}

function parseKey(bytes: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey({ key: bytes, format: 'pem' })
  } catch {
    return undefined
  }
}

function matchesCertificate(key: KeyObject, secrets: Secrets): boolean {
  return new X509Certificate(secrets.get(tlsPointers.certificate)?.bytes ?? '').checkPrivateKey(key)
}
