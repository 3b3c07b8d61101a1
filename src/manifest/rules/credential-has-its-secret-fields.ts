import {
  type CredentialType,
  credentialTypes,
  isCredentialType,
  secretFieldNames,
} from '../../contract/cloud.js'
import { isDocumented } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { variablePattern } from '../../schema/fields.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { appendSegment } from '../../schema/pointer.js'
import { select } from '../../schema/select.js'
import { diagnoseUnknownFields } from '../unknown-fields.js'
import type { Rule } from './rule.js'

/**
 * A credential has exactly the secret fields of its type; a role has none. Service §2.5. A name that resembles no field
 * is not repeated, because it could be the secret itself.
 */
export const credentialHasItsSecretFields: Rule = function* ({ index, version }) {
  const isOpen = version !== undefined && !isDocumented(version)
  for (const { pointer, value: credential } of select(index, '/spec/cloudStorage/*/credential')) {
    if (!isObject(credential)) continue
    if (!isCredentialType(credential['type'])) {
      const at = appendSegment(pointer, 'secret')
      if (isOpen && hasOtherValues(credential['secret']))
        yield diagnose('secret/reference', at, { field: 'secret', problem: 'must contain only references' })
      continue
    }
    const { type, secret = {} } = credential
    const entry: CredentialType = credentialTypes[type as keyof typeof credentialTypes]
    if (!isObject(secret) || findMisspelledFields(credential, ['type', 'secret']).includes('secret')) continue
    const at = 'secret' in credential ? appendSegment(pointer, 'secret') : pointer
    const wanted = entry.secret.map(({ name }) => name)
    const others = Object.keys(secret).filter(name => !wanted.includes(name))
    const foreign = others.filter(name => secretFieldNames.includes(name))
    const fields = others.filter(name => !foreign.includes(name))
    const unknown = diagnoseUnknownFields({
      owner: at,
      map: secret,
      fields,
      allowed: wanted,
      version: undefined,
    })
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

/** True for a secret of an unknown type with a value that is not a reference; the schema checks known types. */
function hasOtherValues(secret: JsonValue | undefined): boolean {
  if (secret === undefined) return false
  if (!isObject(secret)) return true
  return Object.entries(secret).some(
    ([name, value]) => !secretFieldNames.includes(name) && !isReference(value),
  )
}

function isReference(value: JsonValue): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1) return false
  const { env, file } = value
  return typeof env === 'string'
    ? new RegExp(variablePattern).test(env)
    : typeof file === 'string' && file !== ''
}
