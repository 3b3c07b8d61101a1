import type { UnfilledForm } from '../diagnostics/reference-defect.js'

const name = '[A-Za-z_][\\w.-]*'
/** With an underscore: a password may well consist of capitals and digits. */
const variableName = '[A-Z]{2}[A-Z0]*(?:_[A-Z0]{2,})+'
const secretWord = '(?:password|passwd|passphrase|pwd|secret|token|answer|key|credentials?)'
const capitalWord = secretWord.toUpperCase()
const pathPart = '[\\w.@-]+'
/** The folders in which systems and containers mount files. Others do not count: an access key may begin with a slash, too. */
const rootFolders = '(?:run|var|etc|mnt|tmp|home|opt|usr|root|secrets?|vault|app|data|workspace|builds)'
const [digits, spaces] = ['[-_ 0!]*', '[-_ ]']

/** Outlines of values that tools and people put in place of a secret, or around it. */
const shapes: readonly (readonly [UnfilledForm, string])[] = [
  [
    'encrypted',
    'ENC[[(].*|\\{cipher\\}.*|\\$ANSIBLE_VAULT;.*|age-encryption\\.org/.*|-----BEGIN (?:AGE|PGP) .*',
  ],
  ['printed', '(?:<no value>|<nil>|%![a-z]\\(|\\[object Object\\]|map\\[.*:.*\\]).*'],
  ['printed', 'null|undefined|[Nn]one|nil|[Ee]rror(?::| from) .*'],
  ['template', `\\$?\\{\\{.+\\}\\}|\\[\\[ *${name} *\\]\\]|\\(\\( *${name} *\\)\\)|<< *${name} *>>`],
  ['variable', `\\$\\{.+\\}|\\$[([]${name}[)\\]]|#\\{${name}\\}#?|%${name}%|\\$(?:env:)?${variableName}`],
  ['variable', '(?:\\$\\(|`)[\\w./-]+(?: \\S+)+[)`]'],
  ['placeholder', `([#@%_~])\\1${name}\\1\\1|<${name}>|\\*+`],
  ['wrapped', '\\s*\\{\\s*"[^"]*"\\s*:.*|\\s*\\[\\s*["{].*\\]\\s*|.*\\\\n'],
  ['wrapped', '"[^"]+"|\'[^\']+\''],
  [
    'wrapped',
    `(?:export |set )?["']?(?:${variableName}|(?:[\\w-]{0,40}[_-])?(?:${secretWord}|${capitalWord})0*)["']?(?: ?= ?[^=\\s]|:\\s).*`,
  ],
  [
    'path',
    `/${rootFolders}(?:/${pathPart})+|(?:\\.{1,2}|~|secrets?)/(?:${pathPart}/)*[a-z0._-]+|[A-Za-z]:(?:\\\\[\\w. -]+){2,}`,
  ],
  ['path', `(?:${pathPart}/)*${pathPart}\\.(?:txt|pem|json|ya?ml|env)`],
  ['variable-name', `[A-Z][A-Z0_]*_${capitalWord}_?0*`],
]

/** Matched in any letter case. */
const placeholders = [
  `(?:(?:change|replace|fill|edit|set)${spaces}?(?:me|in|this|it)|changeme|replaceme)${digits}`,
  `(?:todo|fixme|tbd|placeholder|redacted)[:]?${digits}`,
  `your${spaces}(?:[a-z0]+${spaces}){0,2}${secretWord}${digits}`,
  `(?:(?:your|insert|enter|put|add)(?:${spaces}[a-z0]+)+|${secretWord})${spaces}here${digits}`,
  `<[\\w. -]*(?:your|${secretWord})[\\w. -]*>`,
].map(source => new RegExp(`^(?:${source})$`, 'i'))

/** Addresses of secrets in a store, also in brackets. */
const references = [
  // A scheme.
  '[a-z][a-z0]*(?:[+.-][a-z0]+)*://\\S+|arn:[a-z-]+:[a-z0-]+:\\S+',
  // A path with the name of the store before it, or the name of the key behind it.
  '(?:[a-z][a-z0+-]+:)+/?(?:(?:[\\w.-]+/){2,}[\\w.-]+|(?:[\\w.-]+/)+[\\w.-]+#[\\w.-]+)',
  `[a-z][\\w.-]*(?:/[\\w.-]+)+#\\w*${secretWord}\\w*|(?:vault|secrets?|env|file|ssm):[\\w./#-]+`,
  `[a-z]+[/:.]${variableName}|/?(?:projects|subscriptions)/[\\w-]+/\\S+`,
  // A call or a tag for a tool.
  '@[A-Za-z]+\\.?[A-Za-z]*\\(.+\\)|!(?:vault|secret|env|[Rr]ef|[Ss]ub) .*',
].map(source => new RegExp(`^(?:${source})$`, 's'))

const ofTokens: readonly (readonly [UnfilledForm, string])[] = [['token-answer', '[Bb]earer .+|\\{.+']]

const compile = (table: readonly (readonly [UnfilledForm, string])[]) =>
  table.map(([form, source]) => ({ form, pattern: new RegExp(`^(?:${source})$`, 's') }))
const compiled = { shapes: compile(shapes), ofTokens: compile(ofTokens) }

/** Base64 of "Salted__", with which OpenSSL begins. */
const salted = Buffer.from('U2FsdGVkX1')
/** The part of a value that is examined: a longer value is none of these, or begins like one. */
const outlinedBytes = 1024

/**
 * Classifies a value that is no secret: a variable that no pipeline replaced, the address of a secret in a store, or a secret
 * inside something else. `variable` is the name of the environment variable that contains it. Only the value as a whole
 * counts. No secret becomes a string: the patterns see only its outline.
 */
export function findUnfilledForm(
  value: Buffer,
  { isToken, variable }: { readonly isToken: boolean; readonly variable?: string | undefined },
): UnfilledForm | undefined {
  if (value.subarray(0, salted.byteLength).equals(salted)) return 'encrypted'
  if (variable !== undefined && isNumbered(value, Buffer.from(variable))) return 'variable-name'
  const outline = outlineOf(value.subarray(0, outlinedBytes))
  const inner =
    /^(?:\{([^{}]+)\}|<([^<>]+)>|\[([^[\]]+)\]|\(([^()]+)\)|"([^"]+)"|'([^']+)'|>>([^>]+)(?:>>)?)$/s.exec(
      outline,
    )
  const address = inner?.slice(1).find(group => group !== undefined) ?? outline
  if (references.some(pattern => pattern.test(address))) return 'reference'
  if (placeholders.some(pattern => pattern.test(outline))) return 'placeholder'
  const table = isToken ? [...compiled.ofTokens, ...compiled.shapes] : compiled.shapes
  return table.find(({ pattern }) => pattern.test(outline))?.form
}

/** True for the variable's own name, also with a digit added to satisfy a password rule. */
function isNumbered(value: Buffer, variable: Buffer): boolean {
  const rest = value.subarray(variable.byteLength)
  return value.subarray(0, variable.byteLength).equals(variable) && rest.every(isDigit)
}

/** The words of the patterns. An outline contains no other text of the value. */
const words = (
  'add age ansible answer app arn bearer begin builds change cipher credential credentials data edit enc encryption enter env error etc ' +
  'export file fill fixme from here home in insert it json key map me mnt n nil no none null object opt org passphrase passwd ' +
  'password pem pgp placeholder projects put pwd redacted ref replace root run secret secrets set ssm sub subscriptions tbd this ' +
  'tmp todo token txt undefined usr value var vault workspace yaml yml your changeme replaceme'
)
  .split(' ')
  .map(word => Buffer.from(word))

/** Replaces each letter of a value by `a` or `A` and each digit by `0`, except in the words above. */
function outlineOf(value: Buffer): string {
  let outline = ''
  for (let at = 0; at < value.byteLength; ) {
    const word = value.subarray(at, findEndOfWord(value, at))
    const isKnown = words.some(known => isSameWord(known, word))
    for (const byte of word) outline += isKnown ? String.fromCharCode(byte) : blur(byte)
    at += word.byteLength
  }
  return outline
}

const isUpper = (byte = 0) => byte >= 0x41 && byte <= 0x5a
const isLower = (byte = 0) => byte >= 0x61 && byte <= 0x7a
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39

/** Finds the end of the word at a position, as in `adminPassword` and `GIS_ADMIN`. Any other character is a word of its own. */
function findEndOfWord(value: Buffer, from: number): number {
  let at = from
  while (isUpper(value[at])) at += 1
  if (at - from > 1) return isLower(value[at]) ? at - 1 : at
  while (isLower(value[at])) at += 1
  return at === from ? from + 1 : at
}

function isSameWord(known: Buffer, word: Buffer): boolean {
  return known.byteLength === word.byteLength && known.every((byte, at) => byte === ((word[at] ?? 0) | 0x20))
}

function blur(byte: number): string {
  if (isUpper(byte)) return 'A'
  if (isLower(byte)) return 'a'
  if (isDigit(byte)) return '0'
  return byte < 0x80 ? String.fromCharCode(byte) : '·'
}
