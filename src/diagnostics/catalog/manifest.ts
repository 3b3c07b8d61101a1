import { formatAll, formatShortList, formatSuggestion, quote } from '../words.js'
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
    fix: ({ rewriting }) => {
      if (rewriting?.kind === 'list') return { kind: 'list' }
      return rewriting?.kind === 'quotes' ? { kind: 'replace', by: rewriting.text } : undefined
    },
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
    fix: ({ suggestion, certain }) =>
      certain && suggestion !== undefined ? { kind: 'replace', by: suggestion } : undefined,
  }),
  'manifest/placeholder': defineEntry<{
    readonly found: string
    readonly isVariable: boolean
    /** The field, if the placeholder is in a secret reference. */
    readonly reference: 'env' | 'file' | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A placeholder instead of a value',
    message: ({ found }) => `${quote(found)} is a placeholder, not a value`,
    help: ({ found, isVariable, reference }) => {
      // Never quotes the value, which is a secret here.
      if (reference === 'file')
        return 'write `{ file: PATH }` with the path of the file that contains the secret'
      if (reference === 'env')
        return `write \`{ env: ${/^\W*([A-Z][A-Z0-9_]*)\W*$/.exec(found)?.[1] ?? 'NAME'} }\`: only the name of the variable`
      return isVariable
        ? 'Landform replaces no variables: write the value, or render the file first'
        : 'write the value of your site'
    },
    part: ({ found }) => found,
  }),
  'manifest/hidden-character': defineEntry<{
    readonly field: string
    readonly kind: 'control' | 'bidirectional' | 'zero-width'
    readonly character: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'An invisible character',
    message: ({ field, kind, character }) =>
      `${quote(field)} contains an invisible character: ${formatCodePoint(character)} (${kind})`,
    help: () => 'remove it: type the text instead of copying it',
    part: ({ character }) => character,
  }),
  'manifest/stray-character': defineEntry<{
    readonly field: string
    readonly kind: keyof typeof strayWords
    readonly cleaned: string
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Spaces or quotes around a text',
    message: ({ field, kind }) => `${quote(field)} ${strayWords[kind]}`,
    help: ({ cleaned }) => `write ${quote(cleaned)}`,
    fix: ({ cleaned }) => ({ kind: 'replace', by: cleaned }),
  }),
  'manifest/malformed-value': defineEntry<{
    readonly field: string
    readonly rule: string
    readonly help?: string | undefined
    /** The one valid text that the user can have meant. */
    readonly meant?: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'Invalid value',
    message: ({ field, rule }) => `${quote(field)} must ${rule}`,
    help: ({ help, meant }) => (meant === undefined ? help : `write ${JSON.stringify(meant)}`),
    fix: ({ meant }) => (meant === undefined ? undefined : { kind: 'replace', by: meant }),
  }),
  'manifest/number-loses-digits': defineEntry<NumberNotation>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.3',
    title: 'A number that loses digits',
    message: ({ written, sent }) => `\`${written}\` would be sent as \`${sent}\`, a different number`,
    help: () => 'write it in quotes',
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
  }),
  'manifest/duplicate-entry': defineEntry<{
    readonly list: string
    /** The text of both entries, or `undefined` if it is another value. */
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
  }),
} as const

const strayWords = {
  space: 'begins or ends with a space',
  'line-break': 'begins or ends with a line break',
  'no-break-space': 'has a no-break space',
  quotes: 'is wrapped in quotes that are part of it',
} as const

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
