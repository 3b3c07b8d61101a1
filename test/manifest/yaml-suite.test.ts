import fc from 'fast-check'
import { cases } from '../support/cases.js'
import { listTextErrors } from '../support/text-errors.js'
import { textMutant } from '../support/text-mutants.js'
import { suiteCases, verdictOn } from '../support/yaml-suite.js'

test('every case of the YAML test suite is read as the suite and the library read it, or refused on purpose', () => {
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

test('no case of the suite makes the check of a manifest fail', () => {
  expect(suiteCases.flatMap(({ yaml }) => listTextErrors(yaml))).toEqual([])
})

test('whatever happens to an example, a check of it has only diagnostics, each inside the text', () => {
  const property = fc.property(textMutant, text => {
    expect(listTextErrors(text)).toEqual([])
  })
  fc.assert(property, { numRuns: cases(35) })
})
