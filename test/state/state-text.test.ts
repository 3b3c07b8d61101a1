import { formatState, parseState, type SiteState } from '../../src/state/site-state.js'
import { aSubmission } from '../support/a-submission.js'

const site = 'https://gis.example.org/arcgis/admin'

test('the text of a version has no character that a terminal obeys, and reads as it was written', () => {
  const reason = 'a\u001b[2J\u009b2J\u007f\u202ezzz\u2028\u200b\u{e0041}\r\n::set-output'
  const state: SiteState = {
    formatVersion: 1,
    site,
    lineage: 'a',
    serial: 1,
    previous: null,
    writtenAt: '2026-03-04T05:06:07.089Z',
    tool: 'landform/test',
    entry: { type: 'submission', state: 'rejected' },
    submission: aSubmission({ state: 'rejected', reason }),
    record: { serial: 0 },
  }
  const text = formatState(state)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(parseState({ serial: 1, text }, { site, where: 'here' })).toEqual({ ok: true, value: state })
})
