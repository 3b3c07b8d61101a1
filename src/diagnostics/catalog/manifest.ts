import { allOf, didYouMean, lines, paragraph, quoted, shortList } from '../words.js'
import { entry, type None } from './entry.js'
import { type KnownName, knownNameHelp, mayStandHere } from './known-name.js'
import { type Rewriting, rewritingHelp } from './rewriting.js'

/** A number as it stands in a manifest, and as it is sent. */
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
    title: 'The file is something else than a manifest',
    message: () => 'this is no manifest: not one of its names is one that a manifest has',
    help: () => 'begin one with `landform init site.yaml`, and carry the values over; or name another file',
    explanation: paragraph(
      'The values of a chart and the properties of a script have other names and another shape than a manifest, so nothing in them can be checked.',
      '`landform init` writes a manifest with a comment on every part.',
      'A size of a chart goes to `spec.volumes`, an administrator to `spec.administrator`, a license to `spec.license`, and a password becomes a reference.',
    ),
  }),
  'manifest/unknown-field': entry<{
    readonly field: string
    readonly suggestion: string | undefined
    /** True where the suggestion is beyond doubt. */
    readonly certain: boolean
    readonly allowed: readonly string[]
    readonly known: KnownName | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Landform',
    title: 'A field that does not exist here',
    message: ({ field }) => `there is no field ${quoted(field)} here`,
    help: ({ field, suggestion, allowed, known }) =>
      (known && knownNameHelp(field, known)) ?? didYouMean(suggestion) ?? mayStandHere(allowed),
    explanation: paragraph(
      'A field that Landform does not know would be ignored or refused by the service, and neither is what was meant.',
      'Mostly it is a slip: capitals count, and names are in camelCase.',
      'What a newer service takes and Landform does not know may stand under `spec.extra`.',
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
      `${owner === 'manifest' ? 'the manifest' : quoted(owner)} lacks ${allOf(missing)}`,
    help: ({ missing }) =>
      missing.includes('kind') && missing.includes('apiVersion')
        ? 'if other manifests extend this file, check those, or their folder: it is passed over there'
        : undefined,
    explanation: paragraph(
      'The service takes no request without these, or Landform cannot tell what the manifest is.',
      'Optional fields may be left out; these may not, and none has a default.',
      '`landform schema` prints what every field takes.',
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
    message: ({ field, expected, found }) => `${quoted(field)} takes ${expected}, but this is ${found}`,
    help: ({ rewriting }) => rewriting && rewritingHelp(rewriting),
    explanation: paragraph(
      'YAML decides by the looks of a value what it is: `11.2` is a number, `true` is a truth, nothing after a colon is null.',
      'A version such as `11.10` would lose its zero that way, so text that looks like something else stands in quotes.',
      'A list has `- ` before each entry, and a map has names.',
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
    /** True where the suggestion is beyond doubt. */
    readonly certain: boolean
    readonly allowed: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'A value outside the allowed set',
    message: ({ field, found }) => `${quoted(field)} cannot be ${quoted(found)}`,
    help: ({ suggestion, allowed }) => didYouMean(suggestion) ?? `use ${shortList(allowed)}`,
    explanation: paragraph(
      'The service document lists every value of this field, and this is none of them.',
      'Capitals and hyphens count.',
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
    title: 'A value of the wrong form',
    message: ({ field, rule }) => `${quoted(field)} must ${rule}`,
    explanation: paragraph(
      'The value is of the right type but not of the right form: it is empty, too long, out of bounds or misspelt.',
      'The message says what the field takes.',
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
    message: ({ written, sent }) => `\`${written}\` would be sent as \`${sent}\`, which is another number`,
    help: () => 'write it in quotes',
    explanation: paragraph(
      'What stands under `systemProperties` and `extra` is sent as JSON, and numbers there have about 17 digits.',
      'This one has more, or is too small, so another number would arrive, and no documented operation corrects it.',
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
    title: 'A number that is sent in another spelling',
    message: ({ written, sent }) => `\`${written}\` is a number in YAML and is sent as \`${sent}\``,
    help: ({ sent }) =>
      `write it in quotes if it is text, such as a version or a code; otherwise write \`${sent}\``,
    explanation: paragraph(
      'What stands under `systemProperties` and `extra` is sent as JSON, in which a number has one spelling.',
      'Zeros at its ends, a plus sign, an exponent or another base are gone there: the version `1.10` becomes `1.1`.',
      'In quotes it is sent as it stands, as text.',
    ),
    example: {
      wrong: lines('systemProperties: { release: 1.10 }'),
      right: lines('systemProperties: { release: "1.10" }'),
    },
  }),
  'manifest/duplicate-entry': entry<{
    readonly list: string
    /** What the two have in common, where that is a text. */
    readonly shared: string | undefined
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Landform',
    title: 'An entry of a list stands there twice',
    message: ({ list, shared }) =>
      `${quoted(list)} has ${shared === undefined ? 'this entry' : quoted(shared)} more than once`,
    help: () => 'remove one of them, or give it a name of its own',
    explanation: paragraph(
      'Two providers of one name, two stores with one path, or the same folder or toleration twice: one of them was to be another.',
      'What the service does with both is not shown.',
      'Remove one, or write what was meant.',
    ),
    example: {
      wrong: lines('folders: [/data/imagery, /data/imagery]'),
      right: lines('folders: [/data/imagery, /data/vector]'),
    },
  }),
} as const
