/** A notation that people and tools use for a value that is still to be filled in. */
interface PlaceholderForm {
  readonly pattern: RegExp
  /** True if another tool would insert a value before the file is used. */
  readonly isVariable: boolean
}

const name = '[A-Za-z_][\\w.-]*'
/** The boundaries of a placeholder: `a<b>c` and `100 %` contain none. */
const [before, after] = ['(?<![\\w$%@#])', '(?!\\w)']

/**
 * Every notation in templates that people copy: of shells, GitHub, Azure, Helm, Jinja, Octopus, Windows, SOPS, secret
 * stores and the vendor's samples; also the text that a template engine prints for nothing or for a map.
 */
const forms: readonly PlaceholderForm[] = [
  { pattern: /CHANGE[-_]?ME|REPLACE[-_]ME/, isVariable: false },
  {
    pattern: /<no value>|%![a-z]\([^()%]{0,200}\)|\[object Object\]|map\[[^[\]:]{0,200}:[^[\]]{0,200}\]/,
    isVariable: false,
  },
  { pattern: /^(?:null|undefined)$/, isVariable: false },
  { pattern: new RegExp(`${before}<${name}(?: ${name})*>${after}`), isVariable: false },
  { pattern: new RegExp(`${before}__[A-Za-z](?:\\w*[A-Za-z0-9])?__${after}`), isVariable: false },
  { pattern: /\$\{\{[^{}]{0,200}\}\}|\{\{[^{}]{0,200}\}\}/, isVariable: true },
  { pattern: /\$\{[^{}]{1,200}\}/, isVariable: true },
  { pattern: new RegExp(`\\$[([]${name}[)\\]]`), isVariable: true },
  { pattern: new RegExp(`${before}\\$[A-Za-z_]\\w*`), isVariable: true },
  { pattern: new RegExp(`#\\{${name}\\}#?`), isVariable: true },
  { pattern: new RegExp(`@@${name}@@`), isVariable: true },
  { pattern: new RegExp(`${before}%[A-Za-z_]\\w*%${after}`), isVariable: true },
  {
    pattern: new RegExp(`\\[\\[ ?${name} ?\\]\\]|\\(\\( ?${name} ?\\)\\)|##${name}##|%%${name}%%`),
    isVariable: true,
  },
  {
    pattern: /^[{<]?(?!(?:https?|s3|gs|wasbs?|abfss?):)[a-z][a-z0-9]*(?:[+.-][a-z0-9]+)*:\/\/\S+$/,
    isVariable: true,
  },
  { pattern: /^[{<]?[a-z][a-z0-9+-]+:\/?[\w.-]+(?:\/[\w.-]+)+#[\w.-]+[}>]?$/, isVariable: true },
  {
    pattern: /^arn:[a-z-]+:(?:secretsmanager|ssm|kms):\S+$|^@[A-Za-z]+\.[A-Za-z]+\(.{1,200}\)$/,
    isVariable: true,
  },
  { pattern: /(?<!\w)ENC\[[A-Z0-9_]+,[^\]]{0,200}\]?/, isVariable: true },
]

/** A fast pre-check: every notation contains one of these, and most manifests contain none. */
const sign =
  /[$%<@#{]|__|CHANGE|REPLACE|ENC\[|\[\[|\(\(|\[o|map\[|^(?:null|undefined|arn:.*)$|(?<!^https?):\/\//

/** A part of a text that is a placeholder. */
interface FoundPlaceholder {
  readonly found: string
  readonly isVariable: boolean
}

/** Fast path: true for a text that may contain a placeholder. */
export function mayHavePlaceholder(text: string): boolean {
  return sign.test(text)
}

/** Finds the first placeholder in a text. */
export function findPlaceholder(text: string): FoundPlaceholder | undefined {
  if (!mayHavePlaceholder(text)) return undefined
  for (const { pattern, isVariable } of forms) {
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { found, isVariable }
  }
  return undefined
}
