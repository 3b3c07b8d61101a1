import { credentialTypeNames, credentialTypes, type SecretField } from '../contract/cloud.js'

const secretNames = credentialTypeNames.flatMap(
  (type): readonly SecretField[] => credentialTypes[type].secret,
)

/** Everywhere in a manifest that a reference to a secret may stand, as patterns for `select`. */
export const referencePatterns: readonly string[] = [
  '/spec/site/token',
  '/spec/site/signIn/password',
  '/spec/site/tls/client/privateKey',
  '/spec/administrator/password',
  '/spec/administrator/securityQuestion/answer',
  ...new Set(secretNames.map(({ name }) => `/spec/cloudStorage/*/credential/secret/${name}`)),
]
