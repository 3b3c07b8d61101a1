import fc from 'fast-check'
import { judgeYaml } from '../../src/manifest/yaml-judge.js'
import { readYaml } from '../../src/manifest/yaml-reader.js'
import { cases } from '../support/cases.js'
import { listTextErrors } from '../support/text-errors.js'
import { textMutant } from '../support/text-mutants.js'
import { suiteCases, verdictOn } from './yaml-suite.js'

test('every case of the YAML test suite is read as the suite and the library read it, or rejected on purpose', () => {
  const verdicts = suiteCases.map(one => ({ name: one.name, ...verdictOn(one) }))
  expect(verdicts.filter(({ complaints }) => complaints.length > 0)).toEqual([])
  const count = (answer: string) => verdicts.filter(verdict => verdict.answer === answer).length
  expect({
    all: verdicts.length,
    read: count('read'),
    broken: count('yaml/syntax'),
    unsupported: count('yaml/unsupported'),
    several: count('yaml/several-documents'),
    empty: count('yaml/empty'),
  }).toEqual({ all: 402, read: 219, broken: 92, unsupported: 64, several: 16, empty: 11 })
})

/** Valid documents of the suite that only the full parser reads, by the feature that manifests do not use. */
const left = {
  'a directive, a document end or another document':
    '27NA/0 6FWR/0 753E/0 9MQT/0 M29M/0 MYW6/0 PUW8/0 RTP8/0 S4T7/0 UT92/0 W4TN/0 XLQ9/0',
  'a key with a question mark': '5WE3/0 7W2P/0 A2M4/0 CT4Q/0 GH63/0 JTV5/0 RR7F/0 S9E8/0 X8DW/0 ZWK4/0',
  'a key in braces without a colon after it':
    '4ABK/0 4MUZ/0 4MUZ/1 4MUZ/2 5MUD/0 8KB6/0 9BXH/0 K3WX/0 VJP3/1',
  'a pair in brackets': '87E4/0 8UDB/0 L9U5/0 LQZ7/0 QF4Y/0',
  'an anchor at a key or without a value, or with an unusual name':
    '2SXE/0 6KGN/0 7BMT/0 8XYN/0 CN3R/0 U3XV/0 W5VH/0 Y2GN/0 ZH7C/0',
  'an empty element': 'SM9W/0 W42U/0',
  'a block of text that is empty, ends in spaces or keeps its line breaks':
    '2G84/2 2G84/3 5GBF/0 A6F9/0 F8F9/0 JEF9/0 JEF9/1 JEF9/2 K858/0 L24T/0 L24T/1 P2AD/0 XV9V/0 Y79Y/1',
} as const

test('the fast reader accepts every valid document of the suite except these', () => {
  const valid = suiteCases.filter(({ yaml, fails }) => !fails && judgeYaml(yaml).problems.length === 0)
  const refused = valid.filter(({ yaml }) => readYaml(yaml) === undefined).map(({ name }) => name)
  const expected = Object.values(left).flatMap(names => names.split(' '))
  expect(refused.toSorted()).toEqual(expected.toSorted())
  expect([valid.length, refused.length]).toEqual([219, 61])
})

test('no case of the suite makes the check of a manifest throw', () => {
  expect(suiteCases.flatMap(({ yaml }) => listTextErrors(yaml))).toEqual([])
})

test('the check of any damaged example gives only diagnostics, each inside the text', () => {
  const property = fc.property(textMutant, text => {
    expect(listTextErrors(text)).toEqual([])
  })
  fc.assert(property, { numRuns: cases(35) })
})
