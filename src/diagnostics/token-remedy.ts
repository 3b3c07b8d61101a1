import { quote } from './words.js'

/** The reference to the token in a manifest, if it has one. */
export type TokenOrigin = { readonly env: string } | { readonly file: string } | undefined

/** Describes the remedy when the site requires a token for reading and it is missing or was rejected. */
export function describeTokenRemedy(origin: TokenOrigin, because: 'no-token' | 'not-allowed'): string {
  const place =
    origin === undefined
      ? undefined
      : 'env' in origin
        ? `the environment variable ${quote(origin.env)}`
        : `the file ${quote(origin.file)}`
  if (place === undefined) return 'add a reference to a token of the site as `spec.site.token`'
  return because === 'no-token'
    ? `put a token of the site into ${place}, as \`spec.site.token\` refers to it`
    : `replace the token in ${place}: it has expired, belongs to another site, or lacks permissions`
}

/** Describes the remedy when the site requires a token and the manifest has `signIn`. */
export function describeSignInRemedy(who: 'signs-in' | 'only-looks'): string {
  return who === 'signs-in'
    ? 'check the account in `spec.site.signIn`, its password and its permissions'
    : 'only `apply` signs in; for commands that only read, add a token as `spec.site.token`'
}
