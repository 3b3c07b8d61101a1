import { documentSchemas } from '../schema/document-schemas.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { exampleLines } from './example-events.js'
import { anchorOf, code, notice, table } from './markdown.js'
import { memberRows } from './schema-rows.js'

/** Builds `docs/reference/events.md`: every event of a run. */
export function eventsPage(): string {
  const kinds: readonly JsonSchema[] = documentSchemas.event.oneOf ?? []
  const lines = exampleLines()
  return [
    notice('src/schema/documents/event.ts and src/reference/example-events.ts'),
    '',
    '# Events',
    '',
    '`apply` and `status --wait` report events as they happen: `--events FILE` writes one JSON document a line, and',
    '`--progress json` writes the same to stderr. [The schema](../../schemas/event.schema.json) is for programs. Any version',
    'may add types and members, so ignore unknown ones. No event holds a secret.',
    '',
    ...table(
      ['event', 'reported when'],
      kinds.map(({ title = '', description = '' }) => [`[${code(title)}](#${anchorOf(title)})`, description]),
    ),
    '',
    'Every event has these members:',
    '',
    ...table(
      ['member', 'type', '', 'meaning'],
      [
        [code('type'), 'text', 'always', 'The type of the event: one of those above'],
        ...memberRows(kinds[0] ?? {}).filter(([path]) => common.includes(path)),
      ],
    ),
    '',
    ...kinds.flatMap(kind => sectionOf(kind, lines)),
  ].join('\n')
}

const common = ['`at`', '`message`', '`site`']

function sectionOf(kind: JsonSchema, lines: ReadonlyMap<string, string>): readonly string[] {
  const { title = '', description = '' } = kind
  const line = lines.get(title)
  if (line === undefined) throw new Error(`src/reference/example-events.ts has no ${title}`)
  const own = memberRows(kind).filter(([path]) => !common.includes(path) && path !== '`type`')
  return [
    `## ${title}`,
    '',
    `${description}.`,
    '',
    ...(own.length === 0 ? [] : [...table(['member', 'type', '', 'meaning'], own), '']),
    '```json',
    line,
    '```',
    '',
  ]
}
