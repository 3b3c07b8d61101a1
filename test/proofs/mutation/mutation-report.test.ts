import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { root } from '../../support/manifests.js'
import { mutatedModules } from './mutated-modules.js'
import { mutationScore } from './mutation-report.js'

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
})

test('a mutant without coverage survives, one that times out is killed, and one that cannot run does not count', () => {
  const mutants = [
    { status: 'Killed', location: at(1, 1, 2) },
    { status: 'Timeout', location: at(1, 1, 2) },
    { status: 'NoCoverage', replacement: 'b', location: at(2, 8, 9) },
    { status: 'Survived', replacement: '', location: at(1, 1, 7) },
    { status: 'RuntimeError', location: at(1, 1, 2) },
  ]
  expect(mutationScore({ files: { 'a.js': { source: 'return\nreturn a\n', mutants } } })).toEqual({
    mutants: 4,
    killed: 2,
    score: 50,
    survivors: ['a.js:2: a -> b', 'a.js:1: return -> '],
  })
})

test.each([
  ['a mutated file', 'src', '.ts', mutatedModules.flatMap(({ files }) => files)],
  ['a test of one', 'test', '.test.ts', mutatedModules.flatMap(({ tests }) => tests)],
])('every pattern for %s matches', (_, folder, end, patterns) => {
  const found = (pattern: string) => globSync(`${pattern}${end}`, { cwd: join(root, folder) })
  expect(patterns.filter(pattern => found(pattern).length === 0)).toEqual([])
})
