import {
  type CredentialType,
  credentialTypes,
  isCredentialType,
  secretFieldNames,
} from '../../contract/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { child } from '../../diagnostics/pointer.js'
import { isObject } from '../../schema/json-schema.js'
import { misspeltFields } from '../did-you-mean.js'
import { select } from '../select.js'
import { unknownFields } from '../unknown-fields.js'
import type { Rule } from './rule.js'

/**
 * A credential carries just the secret fields of its type, and none with a role. Service §2.5.
 * A name that resembles no field is not repeated: it could be the secret itself.
 */
export const credentialHasItsSecretFields: Rule = function* ({ value }) {
  for (const { pointer, value: credential } of select(value, '/spec/cloudStorage/*/credential')) {
    if (!isObject(credential) || !isCredentialType(credential['type'])) continue
    const { type, secret = {} } = credential
    const entry: CredentialType = credentialTypes[type as keyof typeof credentialTypes]
    if (!isObject(secret) || misspeltFields(credential, ['type', 'secret']).includes('secret')) continue
    const at = 'secret' in credential ? child(pointer, 'secret') : pointer
    const wanted = entry.secret.map(({ name }) => name)
    const others = Object.keys(secret).filter(name => !wanted.includes(name))
    const foreign = others.filter(name => secretFieldNames.includes(name))
    const fields = others.filter(name => !foreign.includes(name))
    const unknown = unknownFields({ owner: at, map: secret, fields, allowed: wanted })
    const misspelt = unknown.filter(({ suggestion }) => suggestion !== undefined)
    for (const { diagnostic } of misspelt) yield diagnostic
    const missing = wanted.filter(
      name => !(name in secret) && !misspelt.some(({ suggestion }) => suggestion === name),
    )
    const strangers = unknown.length - misspelt.length
    const needless = wanted.length === 0 && 'secret' in credential
    if (missing.length + foreign.length + strangers > 0 || needless)
      yield diagnose('cloud/secret-fields', at, { type: type as string, wanted, missing, foreign, strangers })
  }
}
