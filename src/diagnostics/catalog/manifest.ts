import { formatAll, formatShortList, formatSuggestion, joinLines, joinSentences, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'
import {
  formatAllowedNames,
  formatKnownNameHelp,
  formatRewriting,
  type KnownName,
  type Rewriting,
} from './manifest-help.js'

/** A number as written in a manifest, and as sent. */
export interface NumberNotation {
  readonly written: string
  readonly sent: string
}

/** Fields and values, as the schema has them. */
export const manifestEntries = {
  'manifest/foreign-file': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'The file is not a manifest',
    message: () => 'this is not a manifest: none of its keys is a manifest field',
    help: () => 'create a manifest with `landform init site.yaml` and copy the values, or pass another file',
    explanation: () =>
      joinSentences(
        'Helm values and script properties have other names and another structure than a manifest, so nothing in them can be checked.',
        '`landform init` writes a manifest with a comment on every section.',
        'A chart size belongs in `spec.volumes`, an administrator in `spec.administrator`, a license in `spec.license`, and a password becomes a reference.',
      ),
  }),
  'manifest/unknown-field': defineEntry<{
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
    message: ({ field }) => `unknown field ${quote(field)}`,
    help: ({ field, suggestion, allowed, known }) =>
      (known && formatKnownNameHelp(field, known)) ??
      formatSuggestion(suggestion) ??
      formatAllowedNames(allowed),
    explanation: () =>
      joinSentences(
        'The service would ignore or reject a field that Landform does not know.',
        'Usually it is a typing mistake: names are case-sensitive and in camelCase.',
        'Use `spec.extra` for a parameter of a newer service version that Landform does not know.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  fullname: Site Administrator', '  fullName: Site Administrator'),
      right: joinLines('administrator:', '  fullName: Site Administrator'),
    }),
    fix: ({ suggestion, certain }) =>
      certain && suggestion !== undefined ? { kind: 'rename', to: suggestion } : undefined,
  }),
  'manifest/missing-field': defineEntry<{ readonly owner: string; readonly missing: readonly string[] }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A required field is missing',
    message: ({ owner, missing }) =>
      `${owner === 'manifest' ? 'the manifest' : quote(owner)} is missing ${formatAll(missing)}`,
    help: ({ missing }) =>
      missing.includes('kind') && missing.includes('apiVersion')
        ? 'if other manifests extend this file, check those files or their folder instead'
        : undefined,
    explanation: () =>
      joinSentences(
        'The service rejects a request without these fields, or Landform needs them to identify the manifest.',
        'Required fields have no default; only optional fields can be omitted.',
        '`landform schema` prints the values that every field accepts.',
      ),
    example: () => ({
      wrong: joinLines('license: {}'),
      right: joinLines('license: { file: licenses/site.json }'),
    }),
  }),
  'manifest/wrong-type': defineEntry<{
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
    message: ({ field, expected, found }) => `${quote(field)} must be ${expected}, but is ${found}`,
    help: ({ rewriting }) => rewriting && formatRewriting(rewriting),
    explanation: () =>
      joinSentences(
        'YAML infers the type from the text: `11.2` is a number, `true` is a boolean, and an empty value is null.',
        'A version such as `11.10` would lose its zero, so quote text that would be read as another type.',
        'A list has `- ` before each entry, and a map has keys.',
      ),
    example: () => ({
      wrong: joinLines('site:', '  version: 11.2'),
      right: joinLines('site:', '  version: "11.2"'),
    }),
    fix: ({ rewriting }) =>
      rewriting?.kind === 'quotes' ? { kind: 'replace', by: rewriting.text } : undefined,
  }),
  'manifest/value-not-allowed': defineEntry<{
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
    message: ({ field, found }) => `${quote(found)} is not an allowed value of ${quote(field)}`,
    help: ({ suggestion, allowed }) => formatSuggestion(suggestion) ?? `use ${formatShortList(allowed)}`,
    explanation: () =>
      joinSentences(
        'The service document lists every value of this field, and this is not one of them.',
        'Values are case-sensitive, and hyphens matter.',
      ),
    example: () => ({
      wrong: joinLines('profile: standard'),
      right: joinLines('profile: standard-availability'),
    }),
    fix: ({ suggestion, certain }) =>
      certain && suggestion !== undefined ? { kind: 'replace', by: suggestion } : undefined,
  }),
  'manifest/placeholder': defineEntry<{ readonly found: string; readonly isVariable: boolean }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A placeholder instead of a value',
    message: ({ found }) => `${quote(found)} is a placeholder, not a value`,
    help: ({ isVariable }) =>
      isVariable
        ? 'Landform replaces no variables: write the value, or render the file first'
        : 'write the value of your site',
    explanation: () =>
      joinSentences(
        '`landform init` writes `CHANGE-ME` for what only you know and what cannot be changed later.',
        'Variables of a shell or a template are not replaced either: what is in the file is what is sent.',
        'Only secrets come from the environment, as `{ env: LANDFORM_NAME }`.',
      ),
    example: () => ({
      wrong: joinLines('administrator:', '  fullName: CHANGE-ME'),
      right: joinLines('administrator:', '  fullName: Ada Admin'),
    }),
  }),
  'manifest/malformed-value': defineEntry<{
    readonly field: string
    readonly rule: string
    readonly help?: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value',
    message: ({ field, rule }) => `${quote(field)} must ${rule}`,
    help: ({ help }) => help,
    explanation: () =>
      joinSentences(
        'The value has the right type but is not valid: it is empty, too long, out of range or misspelled.',
        'The message says what the field accepts.',
      ),
    example: () => ({
      wrong: joinLines('metadata:', '  name: Production Site'),
      right: joinLines('metadata:', '  name: production-site'),
    }),
  }),
  'manifest/number-loses-digits': defineEntry<NumberNotation>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'A number that loses digits',
    message: ({ written, sent }) => `\`${written}\` would be sent as \`${sent}\`, a different number`,
    help: () => 'write it in quotes',
    explanation: () =>
      joinSentences(
        'Values under `systemProperties` and `extra` are sent as JSON, where numbers have about 17 digits.',
        'This number has more digits, or is too small, so the service would receive a different one, and no documented operation corrects it.',
        'In quotes it is sent as text, with every digit.',
      ),
    example: () => ({
      wrong: joinLines('systemProperties: { id: 12345678901234567890 }'),
      right: joinLines('systemProperties: { id: "12345678901234567890" }'),
    }),
  }),
  'manifest/number-respelled': defineEntry<NumberNotation>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'A number that is sent in another notation',
    message: ({ written, sent }) => `\`${written}\` is a number in YAML and is sent as \`${sent}\``,
    help: ({ sent }) =>
      `write it in quotes if it is text, such as a version or a code; otherwise write \`${sent}\``,
    explanation: () =>
      joinSentences(
        'Values under `systemProperties` and `extra` are sent as JSON, where a number has one notation.',
        'Leading and trailing zeros, a plus sign, an exponent or another base are lost: the version `1.10` becomes `1.1`.',
        'In quotes the value is sent unchanged, as text.',
      ),
    example: () => ({
      wrong: joinLines('systemProperties: { release: 1.10 }'),
      right: joinLines('systemProperties: { release: "1.10" }'),
    }),
  }),
  'manifest/duplicate-entry': defineEntry<{
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
      `${quote(list)} contains ${shared === undefined ? 'this entry' : quote(shared)} more than once`,
    help: () => 'remove one of them, or give it another name',
    explanation: () =>
      joinSentences(
        'Two providers with the same name, two stores with the same path, or a repeated folder or toleration is usually a mistake.',
        'How the service handles duplicates is not documented.',
        'Remove one, or correct it.',
      ),
    example: () => ({
      wrong: joinLines('folders: [/data/imagery, /data/imagery]'),
      right: joinLines('folders: [/data/imagery, /data/vector]'),
    }),
  }),
} as const
