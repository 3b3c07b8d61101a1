import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { digestCanonical } from '../canonical.js'
import { listImmutableParts } from '../fields/lifetime.js'
import { listOtherPaths, mergeUpgradeConfig, omitPolicy } from '../observation.js'
import { type Action, countCoverage, listFieldChanges, type Plan, summarizePlan } from '../plan.js'

/** The format of saved plans. */
export const planFormat = 1

/**
 * Builds the machine form of a plan, which is also the saved form; its schema is `schemas/plan.schema.json`. It holds
 * the whole plan: `id` is the digest of everything else, except for previews of a cluster that a file may also hold.
 * Readers find each value where they need it, so the form repeats what a `Plan` holds once.
 */
export function buildPlanDocument(plan: Plan) {
  const content = {
    ...plan,
    formatVersion: planFormat,
    settles: listImmutableParts(plan),
    actions: plan.actions.map(buildActionDocument),
    coverage: countCoverage(plan.fields),
    summary: summarizePlan(plan),
  } as const
  const { formatVersion, ...rest } = content
  return { formatVersion, id: digestCanonical(content), ...rest }
}

/** Builds the machine form of an action: each field has its value, and an update has its whole body. */
function buildActionDocument(action: Action) {
  const head = { irreversible: false, fields: listFieldChanges(action) }
  if (action.change !== 'update') return { ...head, ...action, ...{ fields: head.fields } }
  const { operation, change, reason, policy, others, fields: _, ...more } = action
  const body = { upgradeConfig: mergeUpgradeConfig(policy, others), kept: listOtherPaths(others) }
  return { ...head, operation, change, reason, policy, ...body, ...more }
}

/** Restores an action from its machine form. */
export function parseActionDocument(document: ActionDocument): Action {
  switch (document.change) {
    case 'create': {
      const { fields, ...action } = document
      return { ...action, irreversible: true, fields: fields.map(({ before, after, ...source }) => source) }
    }
    case 'update': {
      const { irreversible, upgradeConfig, kept, ...action } = document
      return { ...action, others: omitPolicy(upgradeConfig) }
    }
    default: {
      const { irreversible, fields, ...action } = document
      return action
    }
  }
}

type ActionDocument = ReturnType<typeof buildActionDocument>
export type PlanDocument = ReturnType<typeof buildPlanDocument>

/** Formats the text to sign: the id covers the whole plan, and the prefix prevents reuse of another signature. */
function formatSignedText(id: string): Buffer {
  return Buffer.from(`landform plan ${id}\n`)
}

/** An Ed25519 key; `undefined` where the text holds none. */
export type Key = KeyObject | undefined

/** Reads the key to sign with: PEM, PKCS #8. An encrypted key is rejected: a pipeline cannot ask for a passphrase. */
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

/** Signs a saved plan by its id: base64, one line. */
export function signPlan(id: string, key: KeyObject): string {
  return `${sign(null, formatSignedText(id), key).toString('base64')}\n`
}

/** True when the key signed this very plan. */
export function isSignedBy(key: KeyObject, id: string, signature: string): boolean {
  return verify(null, formatSignedText(id), key, Buffer.from(signature, 'base64'))
}
