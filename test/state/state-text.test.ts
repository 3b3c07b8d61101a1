import { digestCanonical } from '../../src/plan/canonical.js'
import { formatState, parseState, type SiteState } from '../../src/state/site-state.js'
import { aSubmission } from '../support/a-submission.js'

const digest = `sha256:${'0'.repeat(64)}`
const site = 'https://gis.example.org/arcgis/admin'

test('the text of a version has no character that a terminal obeys, and reads as it was written', () => {
  const reason = 'a\u001b[2J\u009b2J\u007f\u202ezzz\u2028\u200b\u{e0041}\r\n::set-output'
  const state: SiteState = {
    formatVersion: 2,
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

test('a version of format 1 reads as one of today: the wait for a configuration was called `attach` there', () => {
  const action = (change: string) => ({ operation: 'configure', change })
  const receipt = (change: string) => ({
    startedAt: '2026-03-04T05:06:07.089Z',
    finishedAt: '2026-03-04T05:06:08.089Z',
    outcome: 'done',
    reason: 'the text "change":"attach" stays',
    manifest: digest,
    actions: [action(change)],
  })
  const state = (formatVersion: number, change: string) => ({
    formatVersion,
    site,
    lineage: 'a',
    serial: 1,
    previous: null,
    writtenAt: '2026-03-04T05:06:07.089Z',
    tool: 'landform/0',
    entry: { type: 'receipt', receipt: receipt(change) },
    record: { serial: 0 },
  })
  const older = state(1, 'attach')
  const text = JSON.stringify({ ...older, checksum: digestCanonical(older) })
  expect(parseState({ serial: 1, text }, { site, where: 'here' })).toEqual({
    ok: true,
    value: state(2, 'resume'),
  })
  const wrong = JSON.stringify({ ...older, checksum: digestCanonical(state(2, 'resume')) })
  expect(parseState({ serial: 1, text: wrong }, { site, where: 'here' })).toMatchObject({ ok: false })
})
