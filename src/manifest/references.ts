/** Everywhere in a manifest that a reference to a secret may stand, as patterns for `select`. */
export const referencePatterns: readonly string[] = [
  '/spec/site/token',
  '/spec/site/signIn/password',
  '/spec/site/tls/client/privateKey',
  '/spec/administrator/password',
  '/spec/administrator/securityQuestion/answer',
  '/spec/cloudStorage/*/credential/secret/*',
]
