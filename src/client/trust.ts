import tls from 'node:tls'
import type { TlsMaterial } from '../secrets/tls-material.js'

/**
 * Creates the TLS context: TLS 1.2 or newer, the authorities of this machine and those that the manifest names, and the
 * client certificate. OpenSSL keeps the key; the bytes may be wiped.
 */
export function createTrust({ authorities, client }: TlsMaterial): tls.SecureContext {
  return tls.createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authorities !== undefined && { ca: [...listMachineAuthorities(), authorities] }),
    ...(client !== undefined && { cert: client.certificate, key: client.key }),
  })
}

/** Naming one authority to Node replaces all others. Node 22.15 is the first to list those of NODE_EXTRA_CA_CERTS. */
function listMachineAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] }
  return getCACertificates?.('default') ?? tls.rootCertificates
}
