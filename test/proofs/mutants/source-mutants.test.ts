import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { sourceMutants } from './source-mutants.js'

// `npm run verify -- mutants` makes each of them, and has its suite find it.
test.each(Object.entries(sourceMutants))('the text that "%s" replaces occurs once', (_, mutant) => {
  const source = readFileSync(join(root, mutant.file), 'utf8')
  expect(source.split(mutant.from)).toHaveLength(2)
})
