import { allOf, didYouMean, lines, paragraph, quoted, shortList } from '../words.js'
import { entry, type None } from './entry.js'
import { type KnownName, knownNameHelp, mayStandHere } from './known-name.js'
import { type Rewriting, rewritingHelp } from './rewriting.js'

/** A number as written in a manifest, and as sent. */
export interface Respelled {
  readonly written: string
  readonly sent: string
}

/** Fields and values, as the schema has them. */
export const manifestEntries = {
  'manifest/foreign-file': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is not a manifest',
    message: () => 'this is not a manifest: none of its keys is a manifest field',
    help: () => 'create a manifest with `landform init site.yaml` and copy the values, or pass another file',
    explanation: paragraph(
      'Helm values and script properties have other names and another structure than a manifest, so nothing in them can be checked.',
      '`landform init` writes a manifest with a comment on every section.',
      'A chart size belongs in `spec.volumes`, an administrator in `spec.administrator`, a license in `spec.license`, and a password becomes a reference.',
    ),
  }),
  'manifest/unknown-field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    /** True if the suggestion is certain. */
    readonly certain: boolean
    readonly allowed: readonly string[]
    readonly known: KnownName | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'Unknown field',
    message: ({ field }) => `unknown field ${quoted(field)}`,
    help: ({ field, suggestion, allowed, known }) =>
      (known && knownNameHelp(field, known)) ?? didYouMean(suggestion) ?? mayStandHere(allowed),
    explanation: paragraph(
      'The service would ignore or reject a field that Landform does not know.',
      'Usually it is a typing mistake: names are case-sensitive and in camelCase.',
      'Use `spec.extra` for a parameter of a newer service version that Landform does not know.',
    ),
    example: {
      wrong: lines('administrator:', '  fullname: Site Administrator', '  fullName: Site Administrator'),
      right: lines('administrator:', '  fullName: Site Administrator'),
    },
    fix: ({ suggestion, certain }) =>
      certain && suggestion !== undefined ? { kind: 'rename', to: suggestion } : undefined,
  }),
  'manifest/missing-field': entry<{ readonly owner: string; readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A required field is missing',
    message: ({ owner, missing }) =>
      `${owner === 'manifest' ? 'the manifest' : quoted(owner)} is missing ${allOf(missing)}`,
    help: ({ missing }) =>
      missing.includes('kind') && missing.includes('apiVersion')
        ? 'if other manifests extend this file, check those files or their folder instead'
        : undefined,
    explanation: paragraph(
      'The service rejects a request without these fields, or Landform needs them to identify the manifest.',
      'Required fields have no default; only optional fields can be omitted.',
      '`landform schema` prints the values that every field accepts.',
    ),
    example: {
      wrong: lines('license: {}'),
      right: lines('license: { file: licenses/site.json }'),
    },
  }),
  'manifest/wrong-type': entry<{
    readonly field: string
    readonly expected: string
    readonly found: string
    readonly rewriting: Rewriting | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value of the wrong type',
    message: ({ field, expected, found }) => `${quoted(field)} must be ${expected}, but is ${found}`,
    help: ({ rewriting }) => rewriting && rewritingHelp(rewriting),
    explanation: paragraph(
      'YAML infers the type from the text: `11.2` is a number, `true` is a boolean, and an empty value is null.',
      'A version such as `11.10` would lose its zero, so quote text that would be read as another type.',
      'A list has `- ` before each entry, and a map has keys.',
    ),
    example: {
      wrong: lines('site:', '  version: 11.2'),
      right: lines('site:', '  version: "11.2"'),
    },
    fix: ({ rewriting }) =>
      rewriting?.kind === 'quotes' ? { kind: 'replace', by: rewriting.text } : undefined,
  }),
  'manifest/value-not-allowed': entry<{
    readonly field: string
    readonly found: string
    readonly suggestion: string | undefined
    /** True if the suggestion is certain. */
    readonly certain: boolean
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Value not allowed',
    message: ({ field, found }) => `${quoted(found)} is not an allowed value of ${quoted(field)}`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `use ${shortList(allowed)}`,
    explanation: paragraph(
      'The service document lists every value of this field, and this is not one of them.',
      'Values are case-sensitive, and hyphens matter.',
    ),
    example: { wrong: lines('profile: standard'), right: lines('profile: standard-availability') },
    fix: ({ suggestion, certain }) =>
      certain && suggestion !== undefined ? { kind: 'replace', by: suggestion } : undefined,
  }),
  'manifest/malformed-value': entry<{ readonly field: string; readonly rule: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value',
    message: ({ field, rule }) => `${quoted(field)} must ${rule}`,
    explanation: paragraph(
      'The value has the right type but is not valid: it is empty, too long, out of range or misspelled.',
      'The message says what the field accepts.',
    ),
    example: {
      wrong: lines('metadata:', '  name: Production Site'),
      right: lines('metadata:', '  name: production-site'),
    },
  }),
  'manifest/number-loses-digits': entry<Respelled>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'A number that loses digits',
    message: ({ written, sent }) => `\`${written}\` would be sent as \`${sent}\`, a different number`,
    help: () => 'write it in quotes',
    explanation: paragraph(
      'Values under `systemProperties` and `extra` are sent as JSON, where numbers have about 17 digits.',
      'This number has more digits, or is too small, so the service would receive a different one, and no documented operation corrects it.',
      'In quotes it is sent as text, with every digit.',
    ),
    example: {
      wrong: lines('systemProperties: { id: 12345678901234567890 }'),
      right: lines('systemProperties: { id: "12345678901234567890" }'),
    },
  }),
  'manifest/number-respelled': entry<Respelled>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'A number that is sent in another notation',
    message: ({ written, sent }) => `\`${written}\` is a number in YAML and is sent as \`${sent}\``,
    help: ({ sent }) =>
      `write it in quotes if it is text, such as a version or a code; otherwise write \`${sent}\``,
    explanation: paragraph(
      'Values under `systemProperties` and `extra` are sent as JSON, where a number has one notation.',
      'Leading and trailing zeros, a plus sign, an exponent or another base are lost: the version `1.10` becomes `1.1`.',
      'In quotes the value is sent unchanged, as text.',
    ),
    example: {
      wrong: lines('systemProperties: { release: 1.10 }'),
      right: lines('systemProperties: { release: "1.10" }'),
    },
  }),
  'manifest/duplicate-entry': entry<{
    readonly list: string
    /** The text that the two entries share, if there is one. */
    readonly shared: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Duplicate entry in a list',
    message: ({ list, shared }) =>
      `${quoted(list)} contains ${shared === undefined ? 'this entry' : quoted(shared)} more than once`,
    help: () => 'remove one of them, or give it another name',
    explanation: paragraph(
      'Two providers with the same name, two stores with the same path, or a repeated folder or toleration is usually a mistake.',
      'How the service handles duplicates is not documented.',
      'Remove one, or correct it.',
    ),
    example: {
      wrong: lines('folders: [/data/imagery, /data/imagery]'),
      right: lines('folders: [/data/imagery, /data/vector]'),
    },
  }),
} as const
