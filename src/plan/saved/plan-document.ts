import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { digestCanonical } from '../canonical.js'
import { listImmutableParts } from '../fields/lifetime.js'
import { countCoverage, type Plan, type PlanDocument, summarizePlan } from '../plan.js'

/** The format of saved plans. */
export const planFormat = 1

/**
 * Builds the machine form of a plan, which is also its saved form. The schema is `schemas/plan.schema.json`. `id` is the
 * digest of the whole plan, except for the members that only `plan --format json` adds.
 */
export function buildPlanDocument(plan: Plan): PlanDocument {
  // The numbers of placeholders are meaningful in one process only.
  const shown = JSON.parse(JSON.stringify(plan).replaceAll(/\[withheld \d+\]/g, '[withheld]')) as Plan
  const content = {
    ...shown,
    formatVersion: planFormat,
    settles: listImmutableParts(plan),
    coverage: countCoverage(plan.fields),
    summary: summarizePlan(plan),
  } as const
  const { formatVersion, ...rest } = content
  return { formatVersion, id: digestCanonical(content), ...rest }
}

/** Formats the text to sign: the id covers the whole plan, and the prefix keeps signatures of other texts from being reused. */
function formatSignedText(id: string): Buffer {
  return Buffer.from(`landform plan ${id}\n`)
}

/** An Ed25519 key; `undefined` if the text contains none. */
type Key = KeyObject | undefined

/** Reads the key for signing: PEM, PKCS #8. An encrypted key is rejected: a pipeline cannot enter a passphrase. */
export function parseSigningKey(pem: Buffer): Key {
  return ed25519(() => createPrivateKey(pem))
}

/** Reads the key to check signatures with: PEM. A private key is rejected, because verification must not need one. */
export function parsePublicKey(pem: Buffer): Key {
  return pem.includes('PRIVATE KEY') ? undefined : ed25519(() => createPublicKey(pem))
}

function ed25519(read: () => KeyObject): Key {
  try {
    const key = read()
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    // The message of OpenSSL does not help a user.
    return undefined
  }
}

/** Signs the id of a saved plan. The signature is one line of base64. */
export function signPlan(id: string, key: KeyObject): string {
  return `${sign(null, formatSignedText(id), key).toString('base64')}\n`
}

/** Tests whether the signature of the plan with this id was made with the key. */
export function isSignedBy(key: KeyObject, id: string, signature: string): boolean {
  return verify(null, formatSignedText(id), key, Buffer.from(signature, 'base64'))
}
