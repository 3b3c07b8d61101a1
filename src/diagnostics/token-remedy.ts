import { quote } from './words.js'

/** The secret reference of the token in a manifest, if there is one. */
export type TokenOrigin = { readonly env: string } | { readonly file: string } | undefined

/** Describes the remedy if reading the site requires a token that is missing or was rejected. */
export function describeTokenRemedy(origin: TokenOrigin, because: 'no-token' | 'not-allowed'): string {
  const place =
    origin === undefined
      ? undefined
      : 'env' in origin
        ? `the environment variable ${quote(origin.env)}`
        : `the file ${quote(origin.file)}`
  if (place === undefined)
    return 'add `signIn: { as: administrator }` below `spec.site`, or a token as `spec.site.token`'
  return because === 'no-token'
    ? `put a token of the site into ${place}, which \`spec.site.token\` refers to`
    : `replace the token in ${place}: it has expired, belongs to another site, or lacks permissions`
}

/** The remedy if the site rejects the account or the token obtained by signing in. */
export const signInRemedy = 'check the account in `spec.site.signIn`, its password and its permissions'
