/** The places in a manifest where a secret reference is allowed, as patterns for `select`. */
export const referencePatterns: readonly string[] = [
  '/spec/site/token',
  '/spec/site/signIn/password',
  '/spec/site/tls/client/privateKey',
  '/spec/administrator/password',
  '/spec/administrator/securityQuestion/answer',
  '/spec/cloudStorage/*/credential/secret/*',
]
