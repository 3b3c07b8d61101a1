import { quoted } from './words.js'

/** Where a manifest says that its token comes from, if it names one. */
export type TokenOrigin = { readonly env: string } | { readonly file: string } | undefined

/** What to do where a site wants a token to be read and there is none, or it takes not this one. */
export function tokenRemedy(origin: TokenOrigin, because: 'no-token' | 'not-allowed'): string {
  const place =
    origin === undefined
      ? undefined
      : 'env' in origin
        ? `the environment variable ${quoted(origin.env)}`
        : `the file ${quoted(origin.file)}`
  if (place === undefined) return 'name a token of the site as `spec.site.token`'
  return because === 'no-token'
    ? `put a token of the site into ${place}, which \`spec.site.token\` names`
    : `the token in ${place} has expired, is no token of this site, or its role is not enough; put another there`
}

/** What to do where a site wants a token, and the manifest says how to sign in. */
export function signInRemedy(who: 'signs-in' | 'only-looks'): string {
  return who === 'signs-in'
    ? 'check the account that `spec.site.signIn` names, its password, and that its role is enough'
    : 'only `apply` signs in; name a token of the site as `spec.site.token` for what only looks'
}
