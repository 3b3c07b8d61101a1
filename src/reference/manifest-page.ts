import { volumeComponents } from '../contract/volumes.js'
import { dotted, type JsonPointer, parentOf, segments } from '../diagnostics/pointer.js'
import { factsOf } from '../report/explain-field.js'
import type { JsonValue } from '../schema/json-schema.js'
import { fieldPointers, fieldSchema } from '../schema/manifest-schema.js'
import { memberOf } from '../schema/member.js'
import { writtenExamples } from './example-manifests.js'
import { anchorOf, code, notice, table } from './markdown.js'

/** Builds `docs/reference/manifest.md`: every field of a manifest. */
export function manifestPage(root: string): string {
  const examples = writtenExamples(root)
  const pointers = fieldPointers().filter(pointer => !repeats(pointer))
  return [
    notice('src/contract and src/schema'),
    '',
    '# The manifest',
    '',
    'One YAML document describes one site. The table lists every field, in the order of the schema; below it each has a',
    'section with its meaning, its rule and an example. `landform explain FIELD` prints the same in a terminal, and editors',
    'show it as you type: see [the schemas](schemas.md). For a list the page shows the fields of its first element.',
    '',
    'A field that is *immutable* can be edited until `configure` was accepted. Afterwards no documented operation changes it,',
    'and a plan reports the edit instead of ignoring it. A *reference* names the source of a secret; a manifest never holds a',
    'secret itself.',
    '',
    ...table(['field', 'required', 'since', 'later'], pointers.map(rowOf)),
    '',
    ...pointers.flatMap(pointer => sectionOf(pointer, examples)),
  ].join('\n')
}

/** The eight volumes have the same fields. */
function repeats(pointer: JsonPointer): boolean {
  const [, part, component] = segments(pointer)
  return part === 'volumes' && component !== undefined && component !== volumeComponents[0]
}

function headingOf(pointer: JsonPointer): string {
  return dotted(pointer).replace(`volumes.${volumeComponents[0]}`, 'volumes.COMPONENT')
}

const shortly: Readonly<Record<string, string>> = {
  'changed by `update`': 'changed by `update`',
  'changed by an operation that Landform does not perform': 'changed elsewhere',
  'immutable after creation': 'immutable',
}

function rowOf(pointer: JsonPointer): readonly string[] {
  const facts = new Map(factsOf(pointer))
  const heading = headingOf(pointer)
  const cell = (label: string) => facts.get(label) ?? ''
  return [
    `[${code(heading)}](#${anchorOf(heading)})`,
    cell('required'),
    cell('since'),
    shortly[cell('later')] ?? '',
  ]
}

function sectionOf(pointer: JsonPointer, written: readonly JsonValue[]): readonly string[] {
  const { markdownDescription = '', description = '', examples } = fieldSchema(pointer)
  const [meaning = ''] = markdownDescription.split('\n\n')
  const heading = headingOf(pointer)
  const facts = factsOf(pointer).filter(([label]) => label !== 'example')
  const example = examples?.[0] ?? writtenAt(pointer, written)
  return [
    `## ${heading}`,
    '',
    meaning === '' ? description : meaning,
    '',
    ...(heading === 'spec.volumes.COMPONENT' ? [components(), ''] : []),
    ...table(
      ['', ''],
      [
        ...facts.map(([label, text]) => [label, text] as const),
        ...(example === undefined ? [] : [['example', code(JSON.stringify(example))] as const]),
      ],
    ),
    '',
    ...choices(pointer),
    ...members(pointer),
  ]
}

function components(): string {
  return `\`COMPONENT\` is each of ${volumeComponents.map(code).join(', ')}; the facts are those of the first.`
}

function choices(pointer: JsonPointer): readonly string[] {
  const { enum: options = [], enumDescriptions = [] } = fieldSchema(pointer)
  if (options.length === 0) return []
  const rows = options.map((option, index) => [code(String(option)), enumDescriptions[index] ?? ''])
  return [...table(['value', 'meaning'], rows), '']
}

function members(pointer: JsonPointer): readonly string[] {
  const inside = fieldPointers().filter(one => parentOf(one) === pointer && !repeats(one))
  if (inside.length === 0) return []
  const links = inside.map(one => `[${code(headingOf(one))}](#${anchorOf(headingOf(one))})`)
  return [`In it: ${links.join(', ')}.`, '']
}

/** Finds the value of a field in the first example that has it, unless it is long. */
function writtenAt(pointer: JsonPointer, written: readonly JsonValue[]): JsonValue | undefined {
  const values = written.map(one =>
    segments(pointer).reduce<JsonValue | undefined>((owner, name) => memberOf(owner, name), one),
  )
  return values.find(value => value !== undefined && JSON.stringify(value).length <= 120)
}
