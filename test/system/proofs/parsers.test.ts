import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { configureBody, configureWithLicense, formBody } from '../../proofs/multipart/bodies.js'
import { debianParsers } from '../../proofs/multipart/debian-parsers.js'
import { npmParsers } from '../../proofs/multipart/npm-parsers.js'
import type { Parser } from '../../proofs/multipart/reader.js'
import { bodyFiles, runParser } from '../../proofs/multipart/run-parser.js'
import { difference, digested } from '../../proofs/multipart/value.js'
import { runsHere } from '../../support/program.js'
import { testWhere } from '../../support/test-where.js'

// `npm run verify -- multipart` asks all of them, with many more bodies.
const seed = 20_260_304
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-parsers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bodies = await bodyFiles(folder, [
  ...[0, 1, 100_000].map(configureWithLicense),
  ...fc.sample(configureBody, { numRuns: 5, seed }),
  ...fc.sample(formBody, { numRuns: 4, seed }),
])

const quick = debianParsers.filter(({ isSlow }) => isSlow !== true)
const present = await Promise.all(quick.map(({ needs }) => needs === undefined || runsHere(needs.probe)))

test.each(npmParsers)('$name reads what the client sends, byte for byte', readsAll)

for (const [index, parser] of quick.entries())
  testWhere(present[index] === true, parser.needs?.packages ?? '')(
    `${parser.name} reads what the client sends, byte for byte`,
    () => readsAll(parser),
  )

async function readsAll(parser: Parser): Promise<void> {
  const { multipart, forms, mismatches } = await runParser(parser, folder, bodies)
  expect(mismatches).toEqual([])
  expect(multipart).toBeGreaterThanOrEqual(8)
  expect(forms > 0).toBe(parser.readsForms)
}

test.each([
  ['a value', digested('a', 'text', 'other')],
  ['a name', digested('b', 'text', 'one')],
  ['what is a file', digested('a', 'file', 'one')],
])('a reading that changes %s differs', (_, found) => {
  expect(difference([digested('a', 'text', 'one')], [found])).toMatch(/^sent text a of 3 bytes .*; read /)
})

test('a reading that differs only in its order does not differ, one that says a value twice does', () => {
  const [one, other] = [digested('a', 'text', '1'), digested('b', 'file', '2')]
  expect(difference([one, other], [other, one])).toBeUndefined()
  expect(difference([one, other], [other, one, one])).toBe('sent 2 values; read 3')
})
