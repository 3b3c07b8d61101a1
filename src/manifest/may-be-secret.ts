import { secretFieldNames } from '../contract/cloud.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { variablePattern } from '../schema/fields.js'

/** The placeholder for a value that only the user knows; `manifest/placeholder` rejects it. */
export const placeholder = 'CHANGE-ME'

const secretName = /(?:pass(?:word|phrase|wd)?|pwd|secret|token|answer|questionAns|credential|.key)s?$/i
/** Names of secrets that users may have misspelled. */
const secretNames = [
  'password',
  'token',
  'answer',
  'secret',
  'accessKey',
  'secretKey',
  'storageAccountKey',
  'privateKey',
]
/** A URL with a user name, a password or a query, or a query with a key or a signature; matches in linear time. */
const sensitiveUrl =
  /:\/\/(?:[^/]*@|(?:[^\s?:]|:(?!\/\/))*\?)|[?&][\w-]{0,20}(?:sig|key|token|secret|password)[\w-]{0,20}=/i
const variable = new RegExp(variablePattern)

/** True if a value may be a secret. `scalar` is undefined for maps and lists, whose members are checked one by one. */
export function mayBeSecret(path: readonly string[], scalar: unknown): boolean {
  if (scalar === undefined || scalar === null || scalar === '' || scalar === placeholder) return false
  if (typeof scalar === 'string' && sensitiveUrl.test(scalar)) return true
  const owner = path.findIndex(isSecretName)
  if (owner === -1) return false
  const field = path.slice(owner + 1).join('/')
  if (
    (typeof scalar === 'string' && /(?:^|\/)file$/.test(field)) ||
    /(?:^|\/)(?:storageAccountName|type)$/.test(field)
  )
    return false
  return !(/(?:^|\/)env$/.test(field) && isVariableName(String(scalar)))
}

/** True for the name of an environment variable, of Landform or of another tool; no secret looks like one. */
export function isVariableName(text: string): boolean {
  return variable.test(text) || /^[A-Z]{2,20}(?:_[A-Z]{2,20})*_(?:ID|KEY|PASSWORD|SECRET|TOKEN)$/.test(text)
}

/** True for a key that may be a secret itself: any key inside a secret except `env`, `file` and the field names of `secret`. */
export function isSecretKey(path: readonly string[]): boolean {
  const owner = path.findIndex(segment => /(?:password|token|answer|.key)$/i.test(segment))
  const below = owner === -1 ? [] : path.slice(owner + 1)
  const part = path.includes('secret') ? path[path.indexOf('secret') + 1] : undefined
  return (
    below.some(segment => !isReferenceField(segment)) ||
    (part !== undefined && !isReferenceField(part) && findSimilar(part, secretFieldNames) === undefined)
  )
}

function isReferenceField(name: string): boolean {
  return name === 'env' || name === 'file'
}

/** Cached, because every manifest has the same few names, which are checked for each value. */
const knownNames = new Map<string, boolean>()

/** True for the name of a field whose value may be a secret. */
export function isSecretName(segment: string): boolean {
  const known = knownNames.get(segment)
  if (known !== undefined) return known
  const sounds = secretName.test(segment) || findSimilar(segment, secretNames) !== undefined
  if (knownNames.size < 1000) knownNames.set(segment, sounds)
  return sounds
}
