import { createHash, generateKeyPairSync } from 'node:crypto'

/** A text that must not appear anywhere. A control must appear in every channel. */
export interface Canary {
  readonly name: string
  readonly value: string
}

/** The names of the canaries, one per kind of secret; a test checks that none is missing. */
export const secretNames = [
  'password',
  'answer',
  'token',
  'license',
  'serverLicense',
  'accessKey',
  'secretKey',
  'storageAccountKey',
  'hmacAccessKey',
  'hmacSecretKey',
  'accountKey',
  'signInPassword',
  'proxyPassword',
  'clientKey',
  'signKey',
  'commentToken',
] as const

export type SecretName = (typeof secretNames)[number]

export type Canaries = Readonly<Record<SecretName, string>>

/** Characters that encoders and shells handle wrongly; canaries have random letters between them. */
const hostile = [
  '"',
  '%',
  '+',
  '<',
  '\\',
  "'",
  '&',
  '/',
  '=',
  ' ',
  'é',
  '漢',
  '🗺',
  '{',
  '`',
  '$',
  ':',
  '>',
  '*',
]
/** The characters that a header may contain. */
const inHeaders = hostile.filter(text => /^[!-~]$/.test(text))

/** Creates the canaries of a seed, with hostile characters where the field allows them. */
export function canariesOf(seed: number): Canaries {
  const text = (name: SecretName, between: readonly string[], pieces: number) =>
    Array.from(
      { length: pieces },
      (_, at) => `${letters(`${seed} ${name} ${at}`, 4)}${between[(at * 7 + name.length) % between.length]}`,
    ).join('')
  const line = (name: SecretName, pieces = 9) => `${text(name, hostile, pieces)}a1`
  return {
    password: line('password', 7),
    answer: line('answer', 120),
    token: text('token', inHeaders, 9),
    license: text('license', [...hostile, '\n', '\r\n', '\0'], 400),
    serverLicense: text('serverLicense', [...hostile, '\n'], 12),
    accessKey: line('accessKey'),
    secretKey: line('secretKey'),
    storageAccountKey: `${letters(`${seed} storage`, 80)}==`,
    hmacAccessKey: line('hmacAccessKey'),
    hmacSecretKey: line('hmacSecretKey'),
    accountKey: `${text('accountKey', ['+', '/'], 16)}==`,
    signInPassword: line('signInPassword'),
    proxyPassword: line('proxyPassword', 6),
    clientKey: aKey('ec'),
    signKey: aKey('ed25519'),
    commentToken: `ghs_${letters(`${seed} comment`, 36)}`,
  }
}

/** Selects the secret part of each canary: of a key only its number, because the rest is the same in every key file. */
export function wanted(canaries: Canaries): readonly Canary[] {
  const parts = { clientKey: [48, 91], signKey: [22, 64] } as const
  return secretNames.map(name => {
    if (name !== 'clientKey' && name !== 'signKey') return { name, value: canaries[name] }
    const [, body = ''] = canaries[name].split(/-----[A-Z ]+-----\n/)
    return { name, value: body.slice(...parts[name]) }
  })
}

/** Creates the control: a text that is not secret and fits every field. A channel without it was not searched. */
export function controlOf(seed: number): Canary {
  return { name: 'control', value: `c${letters(`${seed} control`, 19).toLowerCase()}` }
}

/** Makes random letters and digits from a seed. */
export function letters(seed: string, count: number): string {
  const digest = createHash('sha512').update(seed).digest()
  const more = createHash('sha512').update(digest).digest()
  const text = Buffer.concat([digest, more]).toString('base64').replaceAll(/[+/=]/g, '')
  return text.slice(0, count)
}

function aKey(type: 'ec' | 'ed25519'): string {
  const pair =
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
