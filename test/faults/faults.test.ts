import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { bareRepository, hasGit } from '../support/git-repositories.js'
import { root } from '../support/manifests.js'
import { stopRawServers } from '../support/raw-server.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'
import { failuresPage } from './failures-page.js'
import type { Cell } from './fault-row.js'
import { faultTable } from './table.js'
import { tryCell } from './try-cell.js'

/** The suite tries one cell of each row; `npm run verify:faults` tries them all. */
const isFull = process.env['FAULT_CELLS'] === 'all'

afterEach(async () => {
  await stopRawServers()
  await removeTemporaryFolders()
})

const nameOf = ({ operation, by }: Cell) => `${operation}: ${typeof by === 'string' ? by : by.join(', ')}`
const expected = ({ exitCode, journal, again = 0 }: Cell) => ({ exitCode, journal, again, complaints: [] })

const rows = faultTable.filter(({ cells }) => cells.length > 0)
describe.each(rows)('$id $fault', ({ cells }) => {
  const some = (isFull ? cells : cells.slice(0, 1)).map(cell => [nameOf(cell), cell] as const)

  test.each(some)('%s', async (_, cell) => {
    expect(await tryCell(cell, { fidelity: cell.fidelity ?? 'document' })).toEqual(expected(cell))
  })

  const more = some.filter(([, { by }]) => isFull && typeof by !== 'string')
  const inField = more.filter(([, { fidelity }]) => fidelity !== 'document')
  if (inField.length > 0)
    test.each(inField)('%s, in the field', async (_, cell) => {
      expect(await tryCell(cell, { fidelity: 'field' })).toEqual(expected(cell))
    })

  const inGit = more.filter(([, { operation }]) => hasGit && operation === 'apply')
  if (inGit.length > 0)
    test.each(inGit)('%s, with state in git', async (_, cell) => {
      const state = `git:${await bareRepository()}`
      expect(await tryCell(cell, { fidelity: cell.fidelity ?? 'document', state })).toEqual(expected(cell))
    })
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
