import { judgeBy } from '../../src/policy/judge.js'
import { loadPolicy } from '../../src/policy/load-policy.js'
import { formatDiagnostics } from '../../src/report/findings-text.js'
import { plain } from '../../src/report/terminal.js'
import { aPolicy, policyText } from '../support/a-policy.js'
import { isAtLength } from '../support/cases.js'
import { aSource } from '../support/changed-manifest.js'
import { hostileDocuments } from '../support/hostile-documents.js'
import { hostileTexts } from '../support/hostile-texts.js'

/** In the short form, only some documents that are rejected as YAML, since all files are parsed in the same way. */
const documents = hostileDocuments.filter(
  ({ code }, at) => isAtLength || !code.startsWith('yaml/') || at % 4 === 0,
)

test.each(documents)('a hostile file is not a policy: $name', ({ content }) => {
  const loaded = loadPolicy(aSource(content))
  if (loaded.ok) throw new Error('it was loaded')
  expect(loaded.error.length).toBeGreaterThan(0)
  expect(loaded.error.length).toBeLessThan(500)
})

const head = 'apiVersion: landform.dev/v1\nkind: SitePolicy\nrules:\n'

test.each([
  [
    'a field named __proto__',
    `${head}  - { name: a, __proto__: { level: warning }, require: { kind: x } }\n`,
  ],
  ['a path through __proto__', `${head}  - { name: a, require: { __proto__: { exists: true } } }\n`],
  ['an operator named __proto__', `${head}  - { name: a, require: { kind: { toString: x } } }\n`],
  [
    'a level named __proto__',
    `${head}  - { name: a, level: constructor, require: { kind: { exists: true } } }\n`,
  ],
  ['a tag', `${head}  - { name: a, require: { kind: !!js/function "x" } }\n`],
  [
    'a merge key',
    `x: &x { level: warning }\n${head}  - { <<: *x, name: a, require: { kind: { exists: true } } }\n`,
  ],
  ['a rule twice by an alias', `${head}  - &a { name: a, require: { kind: { exists: true } } }\n  - *a\n`],
  ['two documents', `${head}  - { name: a, require: { kind: { exists: true } } }\n---\n${head}`],
  ['a path of very many names', `${head}  - { name: a, require: { ${'spec.'.repeat(20_000)}: x } }\n`],
  [
    'a path that is too long',
    `${head}  - { name: a, require: { metadata.labels.${'a'.repeat(2000)}: x } }\n`,
  ],
  ['a path of very many stars', `${head}  - { name: a, require: { spec.extra${'.*'.repeat(20_000)}: x } }\n`],
  ['stars instead of names', `${head}  - { name: a, require: { spec${'.*'.repeat(8)}: x } }\n`],
  ['too many rules', head + '  - { name: a, require: { kind: { exists: true } } }\n'.repeat(600)],
])('%s is rejected', (_, text) => {
  expect(loadPolicy(aSource(text)).ok).toBe(false)
})

test.each(hostileTexts)("a team's message is escaped: %s", (_, text) => {
  const message = `a${text}`.slice(0, 300)
  const told = judgeBy([aPolicy({ 'spec.logLevel': `INFO${text}` }, { message })])({ spec: {} }, [])
  const shown = formatDiagnostics(told, { readLines: () => undefined, paint: plain })
  expect(told).toHaveLength(1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
  expect(shown.split('\n').filter(line => /^(?:::|##)/.test(line))).toEqual([])
})

test('the maximum number of rules and values takes a moment, and is reported in part', () => {
  const rules = Array.from({ length: 500 }, (_, index) => ({
    name: `r${index}`,
    require: { 'spec.systemProperties.*': { like: `${'a'.repeat(300)}*${'a'.repeat(100)}b` } },
  }))
  const loaded = loadPolicy(aSource(policyText(...rules)))
  if (!loaded.ok) throw new Error('the rules are right')
  const text = 'a'.repeat(1000)
  const systemProperties = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, text]))
  expect(judgeBy([loaded.value])({ spec: { systemProperties } }, [])).toHaveLength(200)
})
