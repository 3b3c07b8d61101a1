import { formatState, parseState, type SiteState } from '../../src/state/site-state.js'
import { aSubmission } from '../support/a-submission.js'

const site = 'https://gis.example.org/arcgis/admin'

const state: SiteState = {
  formatVersion: 1,
  site,
  lineage: 'a',
  serial: 1,
  previous: null,
  writtenAt: '2026-03-04T05:06:07.089Z',
  tool: 'landform/test',
  entry: { type: 'submission', state: 'rejected' },
  record: { serial: 0 },
}

test('the text of a version has no characters that a terminal interprets, and is read as it was written', () => {
  const reason = 'a\u001b[2J\u009b2J\u007f\u202ezzz\u2028\u200b\u{e0041}\r\n::set-output'
  const rejected = { ...state, submission: aSubmission({ state: 'rejected', reason }) }
  const text = formatState(rejected)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(parseState({ serial: 1, text }, { site, where: 'here' })).toEqual({ ok: true, value: rejected })
})

test.each<[string, string, object]>([
  ['invalid JSON', '{', { kind: 'damaged', reason: { kind: 'not-json', serial: 1 } }],
  ['null', 'null', { kind: 'damaged', reason: { kind: 'not-a-state', serial: 1 } }],
  ['no state', '{"formatVersion":"2"}', { kind: 'damaged', reason: { kind: 'not-a-state', serial: 1 } }],
  ['a newer format', '{"formatVersion":2}', { kind: 'newer', reason: { kind: 'newer-format' } }],
  [
    'one changed character',
    formatState(state).replace('rejected', 'ready'),
    { kind: 'damaged', reason: { kind: 'wrong-checksum', serial: 1 } },
  ],
  [
    'another version',
    formatState({ ...state, serial: 2 }),
    { kind: 'damaged', reason: { kind: 'wrong-serial', serial: 1, found: 2 } },
  ],
  [
    'another site',
    formatState({ ...state, site: 'https://other.example.org' }),
    { kind: 'foreign', reason: { kind: 'other-site' } },
  ],
])('a version with %s is rejected with its reason', (_what, text, error) => {
  expect(parseState({ serial: 1, text }, { site, where: 'here' })).toEqual({
    ok: false,
    error: { where: 'here', ...error },
  })
})
