import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { judgeYaml } from '../../src/manifest/yaml-judge.js'
import { readYaml } from '../../src/manifest/yaml-reader.js'
import { cases } from '../support/cases.js'
import { root } from '../support/manifests.js'
import { listReaderErrors } from '../support/text-errors.js'
import { exampleTexts, textMutant } from '../support/text-mutants.js'

/** The YAML files of the examples, pages and sources, and the YAML in pages. */
const published = ['examples', 'docs', 'src']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(file => /\.(?:ya?ml|md)$/.test(file))
  .flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    if (/\.ya?ml$/.test(file)) return [[file, text] as const]
    return [...text.matchAll(/^( *)```ya?ml[^\n]*\n(.*?)^ *```/gms)].map(
      ({ 1: indent = '', 2: block = '' }, index) =>
        [`${file} ${index + 1}`, block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] as const,
    )
  })
  .filter(([, text]) => judgeYaml(text).problems.length === 0)

describe('the fast reader', () => {
  test('accepts every valid text of the examples and pages, except one with a mistake in it', () => {
    const refused = published.filter(([, text]) => readYaml(text) === undefined)
    // A label without its colon, which a rule reports.
    expect(refused.filter(([, text]) => !text.includes('{ arcgis/tier=storage,'))).toEqual([])
    expect(published.length).toBeGreaterThan(300)
  })

  test.each(exampleTexts.map(text => [/name: (\S+)/.exec(text)?.[1], text] as const))(
    'reads the example %s as the full parser does',
    (_, text) => {
      expect(readYaml(text)).toBeDefined()
      expect(listReaderErrors(text)).toEqual([])
    },
  )

  test('accepts no text that the full parser rejects or reads differently, in thousands of damaged examples', () => {
    let taken = 0
    const property = fc.property(textMutant, text => {
      if (readYaml(text) === undefined) return
      taken += 1
      expect(listReaderErrors(text)).toEqual([])
    })
    fc.assert(property, { numRuns: cases(700) })
    // About one in seven is accepted: far fewer would mean that the texts are damaged beyond recognition.
    expect(taken).toBeGreaterThan(40)
  })
})
