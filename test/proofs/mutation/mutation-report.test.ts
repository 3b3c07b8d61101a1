import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { mutatedModules } from './mutated-modules.js'
import { mutationScore } from './mutation-report.js'

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
})

test('a mutant that no test comes to lives, one that hangs does not, and one that does not run counts for nothing', () => {
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

test('what is to be mutated is there', () => {
  const named = mutatedModules.flatMap(({ files }) => files.filter(file => !file.includes('*')))
  expect(named.filter(file => !existsSync(join(root, 'src', `${file}.ts`)))).toEqual([])
})
