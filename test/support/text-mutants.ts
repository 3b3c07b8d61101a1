import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { root } from './manifests.js'

export const exampleTexts: readonly string[] = readdirSync(join(root, 'examples'))
  .filter(name => name.endsWith('.yaml'))
  .map(name => readFileSync(join(root, 'examples', name), 'utf8'))

/** Fragments with a meaning in YAML, or nearly. */
const pieces = [
  ...'{}[],:?-#&*!|>\'"%@`~<=. \n\t\r\\0179aeox_',
  ...[
    '- ',
    ': ',
    ' #',
    '? ',
    '  ',
    '&a ',
    '!!str ',
    '!x ',
    '---\n',
    '...\n',
    '|\n',
    '>-\n',
    '%YAML 1.1\n',
    '\r\n',
  ],
  ...'<< *a null ~ yes True .inf .nan 0x1f 0o17 0777 1e3 1_000 12:30 -0 +1 .5'.split(' '),
  ...'__proto__ constructor \0 \u0085 \u2028 \ufeff \ud800 {{ \\x41 " \''.split(' '),
]

/** An edit of a text that removes characters at a position, and inserts fragments or a copy of another part. */
const edit = fc.record({
  at: fc.nat(),
  gone: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(200)),
  comes: fc.oneof(
    fc.constantFrom(...pieces),
    fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map(some => some.join('')),
    fc.nat(),
  ),
})

/** Generates example texts after up to four edits. Many are still YAML, some still valid manifests. */
export const textMutant = fc
  .tuple(fc.constantFrom(...exampleTexts), fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([text, edits]) =>
    edits.reduce((changed, { at, gone, comes }) => {
      const place = at % (changed.length + 1)
      const from = typeof comes === 'number' ? comes % (changed.length + 1) : 0
      const piece = typeof comes === 'number' ? changed.slice(from, from + 40) : comes
      return changed.slice(0, place) + piece + changed.slice(place + gone)
    }, text),
  )
