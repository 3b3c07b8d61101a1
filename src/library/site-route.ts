import { selectProxy } from '../client/proxy.js'
import { maxSecretBytes, redactorFor } from '../client/redact/redactor.js'
import { findSlash, type Redaction, type Route } from '../client/route.js'
import { createTrust, rememberTrust } from '../client/trust.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import type { JsonObject } from '../schema/json-schema.js'
import { listTexts } from '../schema/select.js'
import { listManifestReferences, type NeededReference } from '../secrets/needed-references.js'
import { fetchSecret } from '../secrets/resolve.js'
import { Secret } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { withTlsMaterial } from '../secrets/tls-material.js'
import type { RouteProblem } from './problem.js'

/** The facts that determine the route to a site. */
interface RouteOptions {
  readonly manifest?: Manifest | undefined
  readonly secrets: SecretSource
  /** The environment with the conventional proxy variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

const rememberAuthorities = rememberTrust()

/** Reuses the trust for the same authorities, which most sites of a fleet share. Never keeps a client key. */
const trustIn: typeof createTrust = material =>
  material.client === undefined ? rememberAuthorities(material) : createTrust(material)

/** Chooses the route to a site: the proxy of the environment, and the certificates of the manifest. Sends nothing. */
export async function chooseRoute(
  address: string,
  { manifest, secrets, environment }: RouteOptions,
): Promise<Result<Route, RouteProblem>> {
  const choice = selectProxy(address, environment)
  if (choice.kind === 'unusable') {
    const { variable, defect } = choice
    return { ok: false, error: { kind: 'proxy', variable, defect } }
  }
  const tls = manifest?.site.tls
  const trust = manifest && tls && (await withTlsMaterial(tls, secrets, trustIn))
  if (manifest && trust?.ok === false)
    return {
      ok: false,
      error: { kind: 'tls', diagnostics: trust.error.map(one => addPlace(manifest, one)) },
    }
  const route = {
    slashes: findSlash(address),
    ...(choice.kind === 'proxy' && { proxy: choice.proxy }),
    ...(trust?.ok && { trust: trust.value }),
    ...(tls?.caFile !== undefined && { caFile: tls.caFile }),
  }
  return { ok: true, value: route }
}

/** Creates the redaction of a site from the secrets of its manifest. Other texts of the manifest are not secret. */
export function createManifestRedaction(
  manifest: Pick<Manifest, 'organization' | 'site' | 'policy'>,
  source: SecretSource,
): () => Promise<Redaction> {
  const declared = listTexts({ ...manifest.organization, ...manifest.policy } as JsonObject)
  return createRedaction(listManifestReferences(manifest), source, new Set(declared))
}

/**
 * Returns a function that reads, at the first response, the secrets to redact, and then reuses the result. A client
 * knows the secrets that it sent itself, but a site may repeat them hours later to another process. A missing secret is
 * no error here: the operation that needs it reports it. Without the texts of a manifest, any text may be a secret.
 */
export function createRedaction(
  wanted: readonly NeededReference[],
  source: SecretSource,
  declared?: ReadonlySet<string>,
): () => Promise<Redaction> {
  let made: Promise<Redaction> | undefined
  return () => {
    made ??= readRedaction(wanted, source, declared)
    return made
  }
}

async function readRedaction(
  wanted: readonly NeededReference[],
  source: SecretSource,
  declared: ReadonlySet<string> | undefined,
): Promise<Redaction> {
  const found: Secret[] = []
  try {
    for (const one of wanted) found.push(...(await readValues(one, source)))
    const isComplete = declared !== undefined && found.length === wanted.length
    return { redact: redactorFor(found), isComplete, ...(declared && { declared }) }
  } finally {
    for (const secret of found) secret.wipe()
  }
}

/** Reads the value of a reference; empty if it is missing, or too large to be read whole. */
async function readValues(wanted: NeededReference, source: SecretSource): Promise<readonly Secret[]> {
  if (wanted.kind === 'file') {
    const reply = await source.file(wanted, maxSecretBytes)
    return reply.kind === 'read' ? [new Secret(reply.bytes)] : []
  }
  const secret = await fetchSecret(wanted, source)
  return secret === undefined ? [] : [secret]
}
