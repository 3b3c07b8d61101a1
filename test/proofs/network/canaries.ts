import { randomBytes } from 'node:crypto'

/** Secrets that are found wherever they turn up, for one run and no other. */
export interface Canaries {
  readonly environment: Readonly<Record<string, string>>
  readonly license: string
  /** The names of those that are in a text, as they are or in base64. */
  foundIn(text: string): readonly string[]
}

/** Secrets that a manifest, an export or a proxy may need; of letters and digits, so that most encodings leave them as they are. */
export function canaries(): Canaries {
  const fresh = (name: string) => `Canary${name}${randomBytes(9).toString('hex')}`
  const environment = {
    LANDFORM_ADMIN_PASSWORD: fresh('1Password'),
    LANDFORM_SECURITY_ANSWER: fresh('2Answer'),
    LANDFORM_TOKEN: fresh('3Token'),
    LANDFORM_ACCOUNT_KEY: fresh('4Key'),
  }
  const license = fresh('5License')
  const all = Object.entries({ ...environment, license })
  return {
    environment,
    license,
    foundIn: text =>
      all.filter(([, value]) => formsOf(value).some(form => text.includes(form))).map(([name]) => name),
  }
}

/** Base64 has three forms of a text, by where it begins; the ends depend on what is beside it. */
function formsOf(value: string): readonly string[] {
  return [
    value,
    ...[0, 1, 2].map(before =>
      Buffer.from('x'.repeat(before) + value)
        .toString('base64')
        .slice(4, -4),
    ),
  ]
}
