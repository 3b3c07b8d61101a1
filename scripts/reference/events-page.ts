import { documentSchemas } from '../../src/schema/document-schemas.js'
import type { JsonSchema } from '../../src/schema/json-schema.js'
import { formatExampleLines } from './example-events.js'
import { buildAnchor, formatCode, formatNotice, formatTable } from './markdown.js'
import { listMembers } from './schema-rows.js'

/** Builds `docs/reference/events.md`: every event of a run. */
export function buildEventsPage(): string {
  const kinds: readonly JsonSchema[] = documentSchemas.event.oneOf ?? []
  const lines = formatExampleLines()
  return [
    formatNotice('src/schema/documents/event.ts and scripts/reference/example-events.ts'),
    '',
    '# Events',
    '',
    '`apply` and `status --wait` report events as they happen: `--events FILE` writes one JSON document per line',
    '([schema](../../schemas/event.schema.json)), and `--progress json` writes the same to stderr. Any version may add',
    'types and members, so ignore unknown ones. No event contains a secret. A [program](../how-to/library.md) gets them',
    'without `at` and `message`; `eventDocument(event, Date.now())` of `landform/report` adds these.',
    '',
    ...formatTable(
      ['event', 'reported when'],
      kinds.map(({ title = '', description = '' }) => [
        `[${formatCode(title)}](#${buildAnchor(title)})`,
        description,
      ]),
    ),
    '',
    'Every event has these members:',
    '',
    ...formatTable(
      ['member', 'type', '', 'meaning'],
      [
        [formatCode('type'), 'text', 'always', 'The type of the event: one of those above'],
        ...listMembers(kinds[0] ?? {}).filter(([path]) => common.includes(path)),
      ],
    ),
    '',
    ...kinds.flatMap(kind => formatEventSection(kind, lines)),
  ].join('\n')
}

const common = ['`at`', '`message`', '`site`']

function formatEventSection(kind: JsonSchema, lines: ReadonlyMap<string, string>): readonly string[] {
  const { title = '', description = '' } = kind
  const line = lines.get(title)
  if (line === undefined) throw new Error(`scripts/reference/example-events.ts has no ${title}`)
  const own = listMembers(kind).filter(([path]) => !common.includes(path) && path !== '`type`')
  return [
    `## ${title}`,
    '',
    `${description}.`,
    '',
    ...(own.length === 0 ? [] : [...formatTable(['member', 'type', '', 'meaning'], own), '']),
    '```json',
    line,
    '```',
    '',
  ]
}
