import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { complaintsOf, faultCases } from './cases.js'
import { failuresPage } from './failures-page.js'
import { faultTable } from './table.js'

// `npm run verify:faults` tries every cell of each row, in every place.
test.each(faultCases.first.map(one => [one.id, one.name, one] as const))('%s %s', async (_, __, one) => {
  expect(await complaintsOf(one)).toEqual([])
})

test('docs/reference/failures.md is as it would be generated now', () => {
  const page = readFileSync(join(root, 'docs', 'reference', 'failures.md'), 'utf8')
  expect(page === failuresPage() ? 'fresh' : 'stale: run `npm run generate`').toBe('fresh')
})

test('every fault has a way to happen here, or says why not', () => {
  expect(faultTable.map(({ id }) => id)).toEqual(
    Array.from({ length: 62 }, (_, at) => `F${String(at + 1).padStart(2, '0')}`),
  )
  for (const { id, cells, elsewhere } of faultTable)
    expect({ id, isShown: cells.length > 0 || elsewhere !== undefined }).toEqual({ id, isShown: true })
})
