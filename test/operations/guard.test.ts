import type { ServiceVersion } from '../../src/contract/versions.js'
import {
  type ConsentInput,
  type ConsentSubject,
  decideConsent,
  findVersionGate,
  type VersionGate,
} from '../../src/operations/guard.js'

const deletion: ConsentSubject = { confirmation: 'R.GPServer@h', mustBeNamed: true, matters: true }
const exporting: ConsentSubject = { confirmation: 'h', mustBeNamed: false, matters: true }
const check: ConsentSubject = { ...exporting, matters: false }
const nobody: ConsentInput = { yes: false, confirm: undefined, canAsk: false }
const somebody: ConsentInput = { ...nobody, canAsk: true }

const given = { kind: 'given' }
const another = { kind: 'refused', because: 'another-target' }
const unasked = { kind: 'refused', because: 'nobody-to-ask' }
const ask = (expected: string) => ({ kind: 'ask', expected })

test.each([
  ['a deletion without a terminal', deletion, nobody, unasked],
  ['a deletion with --yes', deletion, { ...nobody, yes: true }, unasked],
  ['a deletion with a person at the terminal', deletion, somebody, ask('R.GPServer@h')],
  ['a deletion with a person and --yes', deletion, { ...somebody, yes: true }, ask('R.GPServer@h')],
  ['a deletion that is confirmed', deletion, { ...nobody, confirm: 'R.GPServer@h' }, given],
  ['a deletion confirmed for another host', deletion, { ...nobody, confirm: 'R.GPServer@i' }, another],
  ['a deletion confirmed for another service', deletion, { ...somebody, confirm: 'S.GPServer@h' }, another],
  ['a deletion confirmed by only the host', deletion, { ...nobody, yes: true, confirm: 'h' }, another],
  ['a deletion confirmed in another case', deletion, { ...nobody, confirm: 'r.gpserver@h' }, another],
  ['a deletion confirmed with an empty text', deletion, { ...nobody, confirm: '' }, another],
  ['an export without a terminal', exporting, nobody, unasked],
  ['an export with --yes', exporting, { ...nobody, yes: true }, given],
  ['an export with a person at the terminal', exporting, somebody, ask('yes')],
  ['an export that is confirmed', exporting, { ...nobody, confirm: 'h' }, given],
  [
    'an export confirmed for another host, with --yes',
    exporting,
    { ...nobody, yes: true, confirm: 'i' },
    another,
  ],
  ['an export confirmed for another host, with a person', exporting, { ...somebody, confirm: 'i' }, another],
  ['a validation without a terminal', check, nobody, given],
  ['a validation confirmed for another host', check, { ...nobody, confirm: 'i' }, another],
] as const)('%s', (_what, guarded, consents, expected) => {
  expect(decideConsent(guarded, consents)).toEqual(expected)
})

test.each<[ServiceVersion | undefined, readonly VersionGate['what'][], ServiceVersion | undefined]>([
  ['10.3', ['exportSite'], '10.4'],
  ['10.4', ['exportSite'], undefined],
  ['10.4', ['exportSite', 'exportSite validate'], '11.1'],
  ['10.3', ['exportSite', 'exportSite validate'], '10.4'],
  ['11.0', ['exportSite', 'exportSite validate'], '11.1'],
  ['11.1', ['exportSite', 'exportSite validate'], undefined],
  ['10.9.1', ['deleteAll'], '11.1'],
  ['11.1', ['deleteAll'], undefined],
  ['12.0', ['deleteAll'], undefined],
  [undefined, ['deleteAll'], undefined],
])('at version %s, %j is missing before %s', (version, needs, since) => {
  expect(findVersionGate(version, needs)?.since).toBe(since)
})
