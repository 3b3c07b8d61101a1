import { volumeComponents } from '../../src/contract/volumes.js'
import { listFieldFacts } from '../../src/report/explain.js'
import { findFieldSchema, listFieldPointers } from '../../src/schema/field-schema.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { parameterPaths } from '../../src/schema/parameter-paths.js'
import { formatDotted, type JsonPointer, readParent, splitPointer } from '../../src/schema/pointer.js'
import { readMember } from '../../src/schema/select.js'
import { readExamples } from './example-manifests.js'
import { buildAnchor, formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/manifest.md`: every field of a manifest. */
export function buildManifestPage(root: string): string {
  const examples = readExamples(root)
  const pointers = listFieldPointers().filter(pointer => !isRepeated(pointer))
  return [
    formatNotice('src/contract and src/schema'),
    '',
    '# The manifest',
    '',
    'One YAML document describes one site. The table lists every field in the order of the schema; below it, each has a',
    'section with its meaning, rule and example. `landform explain FIELD` prints the same in a terminal, and editors show',
    'it as you type ([schemas](schemas.md)). For a list, the page shows the fields of the first element.',
    '',
    'Most fields can be edited until `configure` has been accepted; afterwards, a plan reports the edit. In the column',
    '*later*, *immutable* means that public sources name no operation that changes the field. *Changed elsewhere* means',
    "that the service has one that Landform does not perform; the field's section names it with its first version. A",
    '*reference* names the source of a secret; a manifest never contains the secret itself.',
    '',
    ...formatTable(['field', 'required', 'since', 'later'], pointers.map(formatFieldRow)),
    '',
    ...pointers.flatMap(pointer => formatFieldSection(pointer, examples)),
    '## Request parameters',
    '',
    'Each parameter of a request has one path in the manifest. `spec.license.serverFile` is sent as the part',
    '`serverLicenseFile`, which the service document describes without naming it. `spec.extra` has parameters of a newer',
    'service that Landform does not know. `f` has no path, because Landform always asks for JSON. `spec.site.signIn` is not',
    'a parameter: it says how a command obtains a token if the site asks for one.',
    '',
    ...formatTable(
      ['manifest', 'operation', 'parameter', 'since', 'Service'],
      parameterPaths.map(formatPathRow),
    ),
    '',
  ].join('\n')
}

function formatPathRow({
  pointer,
  operation,
  parameter,
}: (typeof parameterPaths)[number]): readonly string[] {
  const { name, since, section } = parameter
  return [formatCode(formatDotted(pointer)), formatCode(operation), formatCode(name), since, `§${section}`]
}

/** Tests whether a field belongs to a volume other than the first: all eight have the same fields. */
function isRepeated(pointer: JsonPointer): boolean {
  const [, part, component] = splitPointer(pointer)
  return part === 'volumes' && component !== undefined && component !== volumeComponents[0]
}

function formatHeading(pointer: JsonPointer): string {
  return formatDotted(pointer).replace(`volumes.${volumeComponents[0]}`, 'volumes.COMPONENT')
}

const shortly: Readonly<Record<string, string>> = {
  'changed by `update`': 'changed by `update`',
  'immutable after creation: no public operation changes it': 'immutable',
}

function formatFieldRow(pointer: JsonPointer): readonly string[] {
  const facts = new Map(listFieldFacts(pointer))
  const heading = formatHeading(pointer)
  const cell = (label: string) => facts.get(label) ?? ''
  return [
    `[${formatCode(heading)}](#${buildAnchor(heading)})`,
    cell('required'),
    cell('since'),
    shortly[cell('later')] ??
      (cell('later').startsWith('Landform cannot change it') ? 'changed elsewhere' : ''),
  ]
}

function formatFieldSection(pointer: JsonPointer, written: readonly JsonValue[]): readonly string[] {
  const { markdownDescription = '', description = '', examples } = findFieldSchema(pointer)
  const [meaning = ''] = markdownDescription.split('\n\n')
  const heading = formatHeading(pointer)
  const facts = listFieldFacts(pointer).filter(([label]) => label !== 'example')
  const example = examples?.[0] ?? findExampleValue(pointer, written)
  return [
    `## ${heading}`,
    '',
    meaning === '' ? description : meaning,
    '',
    ...(heading === 'spec.volumes.COMPONENT' ? [describeComponents(), ''] : []),
    ...formatTable(
      ['', ''],
      [
        ...facts.map(([label, text]) => [label, text] as const),
        ...(example === undefined ? [] : [['example', formatCode(JSON.stringify(example))] as const]),
      ],
    ),
    '',
    ...formatChoices(pointer),
    ...formatMembers(pointer),
  ]
}

function describeComponents(): string {
  return `\`COMPONENT\` is each of ${volumeComponents.map(formatCode).join(', ')}; the table is that of the first.`
}

function formatChoices(pointer: JsonPointer): readonly string[] {
  const { enum: options = [], enumDescriptions = [] } = findFieldSchema(pointer)
  if (options.length === 0) return []
  const rows = options.map((option, index) => [formatCode(String(option)), enumDescriptions[index] ?? ''])
  return [...formatTable(['value', 'meaning'], rows), '']
}

function formatMembers(pointer: JsonPointer): readonly string[] {
  const inside = listFieldPointers().filter(one => readParent(one) === pointer && !isRepeated(one))
  if (inside.length === 0) return []
  const links = inside.map(one => `[${formatCode(formatHeading(one))}](#${buildAnchor(formatHeading(one))})`)
  return [`In it: ${links.join(', ')}.`, '']
}

/** Finds the value of a field in the first example that has it, unless it is long. */
function findExampleValue(pointer: JsonPointer, written: readonly JsonValue[]): JsonValue | undefined {
  const values = written.map(one =>
    splitPointer(pointer).reduce<JsonValue | undefined>((owner, name) => readMember(owner, name), one),
  )
  return values.find(value => value !== undefined && JSON.stringify(value).length <= 120)
}
