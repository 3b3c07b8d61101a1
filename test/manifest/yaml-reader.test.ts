import fc from 'fast-check'
import { readYaml } from '../../src/manifest/yaml-reader.js'
import { cases } from '../support/cases.js'
import { listReaderErrors } from '../support/text-errors.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

describe('the reader', () => {
  test.each(exampleTexts.map(text => [/name: (\S+)/.exec(text)?.[1], text] as const))(
    'reads the example %s, as the judge does',
    (_, text) => {
      expect(readYaml(text)).toBeDefined()
      expect(listReaderErrors(text)).toEqual([])
    },
  )

  test('takes nothing that the judge refuses or reads otherwise, over thousands of damaged examples', () => {
    let taken = 0
    const property = fc.property(textMutant, text => {
      if (readYaml(text) === undefined) return
      taken += 1
      expect(listReaderErrors(text)).toEqual([])
    })
    fc.assert(property, { numRuns: cases(700) })
    // One of seven or so is: far fewer would mean that they are damaged beyond reading.
    expect(taken).toBeGreaterThan(40)
  })
})
