import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kind, makeFile } from '../../scripts/bench/folders.js'
import { formatPage, formatValue, type Measured, rows } from '../../scripts/bench/rows.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { aSource } from '../support/changed-manifest.js'
import { root } from '../support/manifests.js'

const codesOf = (kind: Kind, at: number) =>
  loadManifest(aSource(makeFile(kind, at))).diagnostics.map(({ code, severity }) => [severity, code])

describe('the files of the benchmark', () => {
  const numbers = Array.from({ length: 60 }, (_, at) => at)

  test('are valid without a diagnostic, and all different', () => {
    expect(numbers.flatMap(at => [...codesOf('i', at), ...codesOf('b', at)])).toEqual([])
    expect(new Set(numbers.map(at => makeFile('b', at).replaceAll(/\d+/g, '#'))).size).toBeGreaterThan(20)
  })

  test('have one warning each in the set with warnings', () => {
    expect(new Set(numbers.map(at => codesOf('w', at).join()))).toEqual(
      new Set(['warning,administrator/user-type']),
    )
  })

  test('have an error in every twentieth file of the set with errors', () => {
    const broken = numbers.filter(at => codesOf('e', at).length > 0)
    expect(broken).toEqual([19, 39, 59])
  })
})

describe('the page of the benchmark', () => {
  test('is generated from the figures', () => {
    const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')
    const measured = JSON.parse(read('performance.json')) as Measured
    const isFresh = read('performance.md') === formatPage(measured)
    expect(isFresh ? 'fresh' : 'stale: run `npm run bench -- --render`').toBe('fresh')
  })

  test('marks figures beyond their limit, and those that were not measured', () => {
    const [row] = rows
    expect(row && [1, 4, undefined].map(value => formatValue(row, value))).toEqual([
      '1.00 x',
      '**4.00 x**, missed',
      'not measured',
    ])
  })
})
