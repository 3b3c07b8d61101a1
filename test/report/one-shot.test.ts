import { jsonText } from '../../src/cli/terminal/output.js'
import type { DeleteOutcome, ExportOutcome } from '../../src/operations/outcome.js'
import { describeEnd } from '../../src/report/endings/ending.js'
import { endOfDeletion, endOfExport } from '../../src/report/endings/one-shot.js'
import {
  describeExportCheck,
  exportDocument,
  formatDeletion,
  formatExport,
  formatMessages,
  formatWebhooks,
  webhooksDocument,
} from '../../src/report/one-shot.js'
import { plain } from '../../src/report/terminal.js'
import { aDiagnostic } from '../support/a-diagnostic.js'
import { harmIn } from '../support/harm-done.js'
import { hostileTexts } from '../support/hostile-texts.js'
import { anExport } from '../support/one-shot.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const url = 'https://gis.example.org/portaladmin'
const target = { url, service: 'R.GPServer', confirmation: 'R.GPServer@gis.example.org' }
const ending = {
  next: ['n'],
  sent: 'something',
  exitCode: 0,
  startedAt: '2026-03-04T05:06:07.089Z',
  finishedAt: '2026-03-04T05:06:07.089Z',
} as const
const refused = (message: string) => ({ kind: 'refused', status: 200, code: 500, message }) as const

const deletions = (text: string): readonly DeleteOutcome[] => [
  { kind: 'done' },
  { kind: 'not-taken', failure: refused(text) },
  { kind: 'unknown', failure: { kind: 'no-answer', reason: text } },
  { kind: 'references', diagnostics: [aDiagnostic({ message: text })] },
  { kind: 'interrupted' },
]
const exports = (text: string): readonly ExportOutcome[] => [
  ...deletions(text),
  { kind: 'done', location: text },
  { kind: 'warned', location: text, messages: [text, text] },
]
const requests = (text: string) => [
  anExport({ location: text }),
  anExport({ location: text, validate: true }),
  anExport({ location: text, target: { kind: 'bucket', name: text, region: text } }),
]

describe.each([['a plain text', 'plain'] as const, ...hostileTexts])('with %s', (_what, text) => {
  test('every text about an export is safe, and its document fits the schema', () => {
    for (const request of requests(text))
      for (const outcome of exports(text)) {
        const message = describeEnd(endOfExport({ ...outcome, request, allowsWarnings: false }))
        const shown = [
          message,
          formatMessages(outcome),
          describeExportCheck(request, 'T'),
          formatExport({ url, version: undefined }, request, plain),
        ]
        const document = exportDocument(url, request, { ...ending, outcome, message })
        expect(listSchemaErrors('export', document)).toEqual([])
        expect([...shown, jsonText(document)].flatMap(harmIn)).toEqual([])
      }
  })

  test('every text about a deletion is safe, and its document fits the schema', () => {
    const webhooks = { count: 30, names: [text, text] }
    for (const outcome of deletions(text)) {
      const message = describeEnd(endOfDeletion({ ...outcome, service: target.service }))
      const document = webhooksDocument(target, webhooks, { ...ending, outcome, message })
      expect(listSchemaErrors('webhooks', document)).toEqual([])
      expect([message, formatWebhooks(webhooks), jsonText(document)].flatMap(harmIn)).toEqual([])
    }
  })
})

test('the store of an export is named in every message that refers to it', () => {
  const bucket = anExport({ target: { kind: 'bucket', name: 'b', region: 'r' } })
  expect(formatExport({ url, version: undefined }, bucket, plain)).toContain('  bucket     b, region r\n')
  expect(describeExportCheck(bucket, 'T')).toBe(
    'check /backups and in the bucket b for a .portalsite file that appeared since T',
  )
  const accountKey = { kind: 'secret', pointer: '/--account-key', reference: { env: 'LANDFORM_K' } } as const
  const account = { accountName: 'a', accountEndpoint: 'e', accountKey }
  const container = anExport({ target: { kind: 'container', url: 'https://c', ...account } })
  expect(formatExport({ url, version: undefined }, container, plain)).toContain(
    '  container  https://c, account a\n',
  )
  expect(describeExportCheck(container, 'T')).toContain('and in the container https://c')
  const ended = { ...ending, message: 'm', outcome: { kind: 'done', location: 'f' } } as const
  expect(exportDocument(url, container, ended)).toMatchObject({ target: { store: 'https://c' }, file: 'f' })
  expect(JSON.stringify(exportDocument(url, container, ended))).not.toContain('LANDFORM_K')
})

test('a deletion is described as permanent, and the alternative is named', () => {
  expect(formatDeletion(target, plain)).toMatch(
    /^webhooks delete-all {2}R\.GPServer {2}https.*\nPermanently /,
  )
})
