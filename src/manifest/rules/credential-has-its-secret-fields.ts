import { type CredentialType, credentialTypes, isCredentialType } from '../../contract/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { child } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { misspeltFields } from '../did-you-mean.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** A credential carries just the secret fields of its type, and none with a role. Service §2.5. */
export const credentialHasItsSecretFields: Rule = function* ({ value }) {
  for (const { pointer, value: credential } of select(value, '/spec/cloudStorage/*/credential')) {
    if (!isObject(credential) || !isCredentialType(credential['type'])) continue
    const { type, secret = {} } = credential
    const entry: CredentialType = credentialTypes[type as keyof typeof credentialTypes]
    if (!isObject(secret) || misspeltFields(credential, ['type', 'secret']).includes('secret')) continue
    const wanted = entry.secret.map(({ name }) => name)
    const missing = wanted.filter(name => !(name in secret))
    const foreign = Object.keys(secret).filter(name => !wanted.includes(name))
    const needless = wanted.length === 0 && 'secret' in credential
    if (missing.length === 0 && foreign.length === 0 && !needless) continue
    const at = 'secret' in credential ? child(pointer, 'secret') : pointer
    yield diagnose('cloud/secret-fields', at, { type: type as string, wanted, missing, foreign })
  }
}
