import { createHash, generateKeyPairSync } from 'node:crypto'

/** A text that must turn up nowhere, or, for a control, that must turn up wherever it is looked for. */
export interface Canary {
  readonly name: string
  readonly value: string
}

/** One canary for each secret that there is, by where it comes from; a test holds that none is missing. */
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

/** What encoders and shells stumble over; between any two of them stand letters that are made by chance. */
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
/** Only these can travel in a header. */
const inHeaders = hostile.filter(text => /^[!-~]$/.test(text))

/** The canaries of a seed, hostile wherever the field allows it. */
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

/** What of each is secret: all of it, but of a key only the number, for the rest of a file is in every key. */
export function wanted(canaries: Canaries): readonly Canary[] {
  const parts = { clientKey: [48, 91], signKey: [22, 64] } as const
  return secretNames.map(name => {
    if (name !== 'clientKey' && name !== 'signKey') return { name, value: canaries[name] }
    const [, body = ''] = canaries[name].split(/-----[A-Z ]+-----\n/)
    return { name, value: body.slice(...parts[name]) }
  })
}

/** A text that is no secret and can stand in every field: where it is not found, nobody looked. */
export function controlOf(seed: number): Canary {
  return { name: 'control', value: `c${letters(`${seed} control`, 19).toLowerCase()}` }
}

/** Letters and digits by chance, the same for the same seed. */
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
