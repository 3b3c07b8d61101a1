import { execFileSync } from 'node:child_process'
import { shellWord } from '../../../src/report/shell-word.js'
import { hostileTexts, unprintable } from '../../support/hostile-texts.js'
import { runsHere } from '../../support/program.js'

const bash = (await runsHere(['bash', '-c', 'true'])) ? test : test.skip

const names = [
  'site.yaml',
  'my site.yaml',
  "it's.yaml",
  'a\\b.yaml',
  'a\nb.yaml',
  "a\x1b[31m'b\\n.yaml",
  'a\u2800b\u00a0c.yaml',
  'abc\x01def.yaml',
  '\u202ereversed.yaml',
  'Zürich 漢字 🗺.yaml',
  'x'.repeat(3000),
  ...hostileTexts.map(([, text]) => Buffer.from(text).toString().replaceAll('\0', '')),
].filter(name => name !== '')

bash.each(names)('a shell reads the quoted form of %j unchanged, and nothing of it is printed raw', name => {
  const word = shellWord(name)
  expect(word).not.toMatch(unprintable)
  expect(word).not.toMatch(/##\w*\[/)
  expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(name)
})
