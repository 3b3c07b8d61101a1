import { faultCases, violationsOf } from './cases.js'
import { faultTable } from './fault-table.js'
import { setups } from './setups.js'
import { newWatch } from './try-cell.js'

const watch = newWatch(2026)

// `npm run verify -- faults` tries a cell of each row, as CI does, and with `--full` every cell in every place.
const some = faultCases.first.filter((_, at) => at % 4 === 0)

test.each(some.map(one => [one.id, one.name, one] as const))('%s %s', async (_, __, one) => {
  expect(await violationsOf(one, watch)).toEqual([])
})

test('every fault has a cell here, or names another test that covers it', () => {
  expect(faultTable.map(({ id }) => id)).toEqual(
    Array.from({ length: 80 }, (_, at) => `F${String(at + 1).padStart(2, '0')}`),
  )
  for (const { id, cells, isElsewhere } of faultTable)
    expect({ id, isShown: cells.length > 0 || isElsewhere }).toEqual({ id, isShown: true })
  const named = faultTable.flatMap(({ cells }) =>
    cells.flatMap(({ by }) => (typeof by === 'string' ? by : [])),
  )
  expect(new Set(named)).toEqual(new Set(Object.keys(setups)))
})
