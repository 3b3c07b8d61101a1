import { maxSecretBytes, redactorFor } from '../client/redact/redactor.js'
import type { Redactor } from '../client/route.js'
import type { Manifest } from '../manifest/manifest.js'
import {
  listConfigureReferences,
  listSignInReferences,
  listUpdateReferences,
  type NeededReference,
} from '../secrets/needed-references.js'
import { fetchSecret } from '../secrets/resolve.js'
import { Secret } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'

/**
 * Makes a function that creates, at the first response, the redactor for every secret of a manifest, and then reuses
 * it. A client knows the secrets that it has sent itself, but a site may repeat them hours later to another process. A
 * missing secret is skipped: it cannot be repeated, and the operation that needs it reports it.
 */
export function createManifestRedactor(
  { organization, site }: Pick<Manifest, 'organization' | 'site'>,
  source: SecretSource,
): () => Promise<Redactor> {
  const wanted = [
    ...listConfigureReferences(organization),
    ...listUpdateReferences(site.token),
    ...listSignInReferences(site),
  ]
  let made: Promise<Redactor> | undefined
  return () => {
    made ??= createRedactor(wanted, source)
    return made
  }
}

async function createRedactor(wanted: readonly NeededReference[], source: SecretSource): Promise<Redactor> {
  const found: Secret[] = []
  try {
    for (const one of wanted) found.push(...(await readValues(one, source)))
    return redactorFor(found)
  } finally {
    for (const secret of found) secret.wipe()
  }
}

/** Reads the values of a reference. A license that is larger than any text of a response is skipped. */
async function readValues(wanted: NeededReference, source: SecretSource): Promise<readonly Secret[]> {
  if (wanted.kind === 'file') {
    const reply = await source.file(wanted, maxSecretBytes)
    return reply.kind === 'read' ? [new Secret(reply.bytes)] : []
  }
  const secret = await fetchSecret(wanted, source)
  return secret === undefined ? [] : [secret]
}
