import tls, { type SecureContext } from 'node:tls'
import { computeDigest } from '../manifest/digest.js'
import type { TlsMaterial } from '../secrets/tls-material.js'

/**
 * Creates the TLS context: TLS 1.2 or newer, the certificate authorities of this machine and those in the manifest, and the
 * client certificate. OpenSSL keeps the key; the bytes may be wiped.
 */
export function createTrust({ authorities, client }: TlsMaterial): SecureContext {
  return tls.createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities !== undefined && { ca: [...listMachineAuthorities(), authorities] }),
    ...(client !== undefined && { cert: client.certificate, key: client.key }),
  })
}

/**
 * Creates TLS contexts and keeps the newest, because parsing the authorities of a machine takes 25 ms, longer than a request.
 * The kept context holds the key of a client certificate.
 */
export function rememberTrust(): typeof createTrust {
  let known: { readonly from: string; readonly trust: SecureContext } | undefined
  return material => {
    const { authorities, client } = material
    const all = [authorities, client?.certificate, client?.key]
    const from = all.map(bytes => bytes && computeDigest(bytes)).join(' ')
    if (known?.from !== from) known = { from, trust: createTrust(material) }
    return known.trust
  }
}

/** Node replaces all authorities if one is named. Node 22.15 is the first to list NODE_EXTRA_CA_CERTS. */
function listMachineAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] }
  return getCACertificates?.('default') ?? tls.rootCertificates
}

let usual: SecureContext | undefined

/** Returns the default trust of Node. Created once, because that takes as long as a whole request. */
export function defaultTrust(): SecureContext {
  usual ??= tls.createSecureContext({ minVersion: 'TLSv1.2' })
  return usual
}
