import { documentSchemas } from '../schema/document-schemas.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { exampleLines } from './example-events.js'
import { anchorOf, code, notice, table } from './markdown.js'
import { memberRows } from './schema-rows.js'

/** Every event of a run: the content of `docs/reference/events.md`. */
export function eventsPage(): string {
  const kinds: readonly JsonSchema[] = documentSchemas.event.oneOf ?? []
  const lines = exampleLines()
  return [
    notice('src/schema/documents/event.ts and src/reference/example-events.ts'),
    '',
    '# Events',
    '',
    '`apply` and `status --wait` tell what happens as it happens: `--events FILE` writes one JSON document a line, and',
    '`--progress json` writes the same to stderr. [The schema](../../schemas/event.schema.json) is for programs. New types and',
    'new members may come with any version, so pass over what you do not know. No event holds a secret.',
    '',
    ...table(
      ['event', 'told when'],
      kinds.map(({ title = '', description = '' }) => [`[${code(title)}](#${anchorOf(title)})`, description]),
    ),
    '',
    'Each event has these:',
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
