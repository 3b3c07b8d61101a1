import { tokenErrorCodes, tokenServicePath } from '../contract/field-notes.js'
import type { Manifest, SecretReference } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import { parseDurationMs } from '../schema/fields.js'
import { isObject } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'
import { signInPointer } from '../secrets/needed-references.js'
import { Secret } from '../secrets/secret.js'
import type { TokenError } from '../secrets/token-provider.js'
import { send } from './connection.js'
import { findFailure, parseJson } from './decode.js'
import { isForeignAnswer, type ServiceFailure } from './failure.js'
import type { HttpAnswer, HttpRequest } from './message.js'
import { direct } from './route.js'
import { withForm } from './wire/form.js'

/** An account, its token service, and the lifetime of its tokens. Holds a reference, never a secret. */
export interface Account {
  readonly username: string
  readonly password: SecretReference
  readonly pointer: JsonPointer
  readonly lifetimeMs: number
  /** Path of the token service on the host of the site, if the manifest names one. */
  readonly path?: string
}

/** Returns the account that a manifest signs in with, if it names one. Public sources. */
export function accountOf(manifest: Manifest): Account | undefined {
  const { username, password } = manifest.site.signIn ?? {}
  const administrator = administratorOf(manifest)
  if (administrator === undefined || username === undefined || password === undefined) return administrator
  return { ...administrator, username, password, pointer: signInPointer }
}

/** Returns the initial administrator, the first account of a new site, if the manifest says how to sign in. */
export function administratorOf({ site: { signIn }, organization }: Manifest): Account | undefined {
  if (signIn === undefined) return undefined
  const { lifetime = '60m', path } = signIn
  const { username, password } = organization.administrator
  const common = { lifetimeMs: parseDurationMs(lifetime), ...(path !== undefined && { path }) }
  return { ...common, username, password, pointer: '/spec/administrator/password' }
}

/** A token, and its expiry by the clock of the site, in milliseconds since 1970. */
interface IssuedToken {
  readonly token: Secret
  readonly expires: number | undefined
}

export type SignInReply = Result<IssuedToken, TokenError>

/** A request for a token. */
const deadlineMs = 15_000

/**
 * Requests a token from the token service on the host of a site, bound to the address of the site. Keeps no text of the
 * response, because it may repeat the password. Public sources.
 */
export async function signIn(
  { url, route = direct }: Pick<HttpRequest, 'url' | 'route'>,
  account: Account,
  password: Secret,
): Promise<SignInReply> {
  const field = (name: string, value: string) => ({ name, value: Buffer.from(value) })
  const fields = [
    field('username', account.username),
    { name: 'password', value: password.bytes },
    field('client', 'referer'),
    field('referer', url),
    field('expiration', String(Math.ceil(account.lifetimeMs / 60_000))),
    field('f', 'json'),
  ]
  const { signal } = new AbortController()
  // The path is on the host of the site; by default, it is next to the administrator API: the reference replaces the last
  // segment of an address without a trailing slash.
  const beside = new URL(tokenServicePath, url.replace(/\/*$/, ''))
  const { href } = account.path === undefined ? beside : new URL(account.path, beside.origin)
  const request = { method: 'POST', url: href, path: '', hasToken: true } as const
  const answer = await withForm(fields, body => send({ ...request, body, deadlineMs, signal, route }))
  if (!answer.ok) return reportUnavailable(answer.error)
  try {
    return readAnswer(answer.value)
  } finally {
    answer.value.bytes.fill(0)
  }
}

function readAnswer(answer: HttpAnswer): SignInReply {
  const cut = cutToken(answer.bytes)
  const failure = findFailure(answer)
  const body = parseJson(answer.bytes)
  const isIt = cut !== undefined && isObject(body) && body['token'] === '*'.repeat(cut.marks)
  if (failure === undefined && isIt && answer.status === 200) {
    const expires = typeof body['expires'] === 'number' ? body['expires'] : undefined
    return { ok: true, value: { token: cut.token, expires } }
  }
  cut?.token.wipe()
  if (failure !== undefined && isAboutAccount(failure)) {
    const { status, code = status } = failure
    return { ok: false, error: { kind: 'refused', status, code } }
  }
  return reportUnavailable(failure ?? { kind: 'not-understood', status: answer.status, reason: 'no-token' })
}

/**
 * True for a complete error body about the account. Public sources do not agree on its code. A server error or a missing
 * resource does not count.
 */
function isAboutAccount(
  failure: ServiceFailure,
): failure is Extract<ServiceFailure, { readonly kind: 'refused' | 'unauthorized' }> {
  const codes: readonly number[] = [400, 401, 403, ...Object.values(tokenErrorCodes)]
  const isRejection = failure.kind === 'refused' || failure.kind === 'unauthorized'
  return (
    isRejection &&
    !isForeignAnswer(failure) &&
    failure.status < 500 &&
    codes.includes(failure.code ?? failure.status)
  )
}

function reportUnavailable(failure: ServiceFailure): SignInReply {
  const code = 'code' in failure && failure.code !== undefined ? `CODE_${failure.code}` : undefined
  const status = 'status' in failure ? `HTTP_${failure.status}` : undefined
  const reason = 'reason' in failure ? failure.reason : undefined
  return { ok: false, error: { kind: 'trouble', reason: code ?? reason ?? status ?? failure.kind } }
}

const name = Buffer.from('"token"')
const [quote, colon, backslash, blank] = [0x22, 0x3a, 0x5c, 0x20]

/** A token cut out of a response, and the number of marks that replace it. */
interface CutToken {
  readonly token: Secret
  readonly marks: number
}

/**
 * Cuts the first `token` out of a JSON response and overwrites it there, so that the rest can be read as text and the token
 * never becomes a string. Returns `undefined` without a token that is valid in a header.
 */
export function cutToken(answer: Buffer): CutToken | undefined {
  const named = answer.indexOf(name)
  if (named < 0) return undefined
  const separator = skipBlanks(answer, named + name.byteLength)
  const opening = skipBlanks(answer, separator + 1)
  const end = answer.indexOf(quote, opening + 1)
  if (answer[separator] !== colon || answer[opening] !== quote || end < 0) return undefined
  const text = answer.subarray(opening + 1, end)
  const token = unescapeToken(text)
  text.fill('*')
  return token && { token: new Secret(token), marks: text.byteLength }
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from
  while ((bytes[at] ?? Number.POSITIVE_INFINITY) <= blank) at += 1
  return at
}

/** Decodes the escapes that some encoders write for `/` and `=`. */
function unescapeToken(text: Buffer): Buffer | undefined {
  const out = Buffer.alloc(text.byteLength)
  let length = 0
  for (let at = 0; at < text.byteLength; at += 1) {
    let byte = text[at] ?? 0
    if (byte === backslash) {
      at += 1
      byte = text[at] ?? 0
      if (byte === 0x75) {
        byte = parseHex(text.subarray(at + 1, at + 5))
        at += 4
      } else if (byte !== 0x2f && byte !== backslash) byte = 0
    }
    if (byte <= blank || byte >= 0x7f) {
      out.fill(0)
      return undefined
    }
    out[length++] = byte
  }
  return length === 0 ? undefined : out.subarray(0, length)
}

/** Parses four hexadecimal digits; 0 if they are none. */
function parseHex(digits: Buffer): number {
  let value = 0
  for (const digit of digits) {
    const nibble = '0123456789abcdef'.indexOf(String.fromCharCode(digit | 0x20))
    if (nibble < 0) return 0
    value = value * 16 + nibble
  }
  return digits.byteLength === 4 ? value : 0
}
