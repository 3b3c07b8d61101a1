import { stripVTControlCharacters } from 'node:util'
import type { Observation, StageRecord } from '../../src/plan/observation.js'
import { formatStages, formatStatus, statusDocument } from '../../src/report/status.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { inProgress, notConfigured, ready, siteFacts } from '../support/a-plan.js'
import { aSubmission } from '../support/a-submission.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const url = 'https://gis.example.org/arcgis/admin'
const stages: readonly StageRecord[] = [
  { name: 'License validation', state: 'completed', startTime: 1, lastUpdated: 2 },
  { name: 'Configuration store', state: 'in_progress', startTime: 0 },
  { name: 'Relational store', state: 'not_started' },
  { name: 'Cloud Native Storage', state: 'not_applicable' },
  { name: 'A new one', state: 'on_holiday' },
]
const rich = siteFacts({ message: 'Creating', warnings: ['careful'], stages })

const openRequest = aSubmission({ state: 'intent' })

const observations: readonly Observation[] = [
  notConfigured,
  inProgress,
  ready,
  { kind: 'not-configured', warnings: [], stages: [] },
  { kind: 'in-progress', ...rich },
  { kind: 'ready', ...rich },
  { kind: 'failed', ...rich },
  { kind: 'unrecognized', state: 'upgrading', ...rich },
  { kind: 'unrecognized', state: '', ...siteFacts() },
]

describe('the state of a site as a document', () => {
  test.each(observations)('satisfies its published schema ($kind)', observed => {
    expect(listSchemaErrors('status', statusDocument(url, observed))).toEqual([])
  })

  test('has the form that pipelines rely on', () => {
    expect(statusDocument(url, { kind: 'in-progress', ...rich })).toEqual({
      formatVersion: 1,
      url,
      state: 'in-progress',
      version: '11.2.0',
      message: 'Creating',
      warnings: ['careful'],
      stages,
    })
  })

  test('names the request with the unknown outcome', () => {
    const document = statusDocument(url, ready, openRequest)
    expect(listSchemaErrors('status', document)).toEqual([])
    expect(document).toMatchObject({ request: { nonce: openRequest.nonce, state: 'intent' } })
  })

  test('has undocumented texts of the service, and omits a missing version', () => {
    const observed: Observation = { kind: 'unrecognized', state: 'upgrading', warnings: [], stages: [] }
    expect(statusDocument(url, observed)).toMatchObject({
      state: 'unrecognized',
      reported: 'upgrading',
      version: null,
    })
    expect(statusDocument(url, ready)).not.toHaveProperty('reported')
  })
})

describe('the state of a site as text', () => {
  test('begins with the request with the unknown outcome', () => {
    const [first] = formatStatus(url, ready, { paint: plain, pending: openRequest }).split('\n')
    expect(first).toMatch(/^open request: configure a-request: submission intent recorded/)
  })

  test('has a line for each fact and one for each stage', () => {
    const lines = formatStatus(url, { kind: 'in-progress', ...rich }, { paint: plain }).split('\n')
    expect(lines.slice(0, 6)).toEqual([
      url,
      'state    in-progress',
      'version  11.2.0',
      'message  Creating',
      'warning  careful',
      '',
    ])
    expect(lines.slice(6, 11).map(line => line.trim().split(/ {2,}/))).toEqual([
      ['✔ License validation', 'completed'],
      ['● Configuration store', 'in progress'],
      ['· Relational store', 'not started'],
      ['– Cloud Native Storage', 'not applicable'],
      ['? A new one', 'on holiday'],
    ])
  })

  test.each(observations)('has the same text with colours ($kind)', observed => {
    expect(stripVTControlCharacters(formatStatus(url, observed, { paint: coloured }))).toBe(
      formatStatus(url, observed, { paint: plain }),
    )
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
    'shows a stage in the state "%s" as unknown',
    state => {
      for (const paint of [plain, coloured]) {
        const [line = ''] = formatStages([{ name: 'Queue store', state }], paint)
        expect(stripVTControlCharacters(line)).toMatch(/^ {2}\? Queue store/)
      }
    },
  )

  test.each(hostileTexts)('escapes texts of the service: %s', (_what, hostile) => {
    const facts = (text: string) => ({
      version: text,
      message: text,
      warnings: [text, text],
      stages: [{ name: text, state: text }],
    })
    const observed = (text: string): Observation => ({ kind: 'unrecognized', state: text, ...facts(text) })
    const lines = formatStatus(url, observed(`x${hostile}x`), { paint: plain }).split('\n')
    expect(lines.length).toBe(formatStatus(url, observed('x'), { paint: plain }).split('\n').length)
    for (const line of lines) expect(line).not.toMatch(unprintable)
  })

  test('stays readable if the service sends very long texts', () => {
    const endless = 'x'.repeat(1_000_000)
    const observed: Observation = { kind: 'failed', ...siteFacts({ message: endless, warnings: [endless] }) }
    expect(formatStatus(url, observed, { paint: plain }).length).toBeLessThan(3_000)
  })
})
