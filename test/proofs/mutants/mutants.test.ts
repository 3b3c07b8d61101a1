import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { checkNames } from '../checks.js'
import { diskMutants } from '../sim/disk-mutants.js'
import { mutants as ports } from '../sim/mutants.js'
import { demanded, sourceMutants } from './demanded.js'
import { fixesTakenBack } from './fixes-taken-back.js'
import { foundByChecks } from './found-by-checks.js'
import { type Mutant, occurrences } from './mutant.js'
import { placesAndConsent } from './places-and-consent.js'
import { wrongDesigns } from './wrong-designs.js'

// `npm run verify -- mutants` makes each of them, and has its suite find it.
test.each(Object.entries(sourceMutants))('what "%s" edits stands in the sources once', (_, mutant) => {
  const source = readFileSync(join(root, mutant.file), 'utf8')
  expect([mutant.file, occurrences(source, mutant.from)]).toEqual([mutant.file, 1])
  expect(mutant.to).not.toBe(mutant.from)
})

test('each mistake has a suite that is there', () => {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.test.ts'),
  )
  const isThere = ([suite, word = '']: Mutant['by']) =>
    suite === 'jest' ? tests.some(file => file.includes(word)) : checkNames.includes(suite)
  const lost = Object.entries(sourceMutants).filter(([, { by }]) => !isThere(by))
  expect(lost.map(([name]) => name)).toEqual([])
})

/** No mistake in what is delivered is theirs to find, or each of theirs is found by another one, too. */
const withoutMistake = {
  'looks at a design, at the sources, at packages or at pages': ['model', 'types', 'supply', 'contributing'],
  'tries the tests themselves': ['mutants', 'mutation', 'properties'],
  'shows what was built at work, slowly': ['image', 'nodes', 'pipeline', 'terminal', 'yaml'],
}

test('each check finds a mistake that somebody else made, or there is a reason', () => {
  const finding = new Set<string>(Object.values(sourceMutants).map(({ by: [suite] }) => suite))
  const names = [...finding, ...Object.values(withoutMistake).flat()].filter(name => name !== 'jest')
  expect(names.sort()).toEqual([...checkNames].sort())
})

test('each mistake has one name', () => {
  const names = [ports, diskMutants, wrongDesigns, fixesTakenBack, foundByChecks, placesAndConsent].flatMap(
    table => Object.keys(table),
  )
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('the mistakes that no suite may miss are made', () => {
  const made = { ...ports, ...sourceMutants }
  expect(Object.values(demanded).filter(name => !(name in made))).toEqual([])
  expect(Object.keys(demanded).length).toBeGreaterThanOrEqual(12)
})
