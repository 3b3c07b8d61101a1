import type { Drift, DriftField } from '../../../src/plan/drift/drift.js'
import { formatDriftMarkdown } from '../../../src/report/drift.js'
import { isAtLength } from '../../support/cases.js'
import { hostileMarkup } from '../../support/hostile-markup.js'
import { unprintable } from '../../support/hostile-texts.js'
import { htmlOf, treeOf } from '../../support/markup-tree.js'

const at = { parameter: 'p', line: 7 } as const

/** A drift in which everything that is not ours is one text. */
function driftOf(text: string): Drift {
  const file = text
  const fields: readonly DriftField[] = [
    {
      ...at,
      file,
      pointer: `/spec/systemProperties/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      value: text,
      verdict: 'different',
      source: 'site',
      found: { [text]: text },
      cause: 'changed-on-site',
    },
    { ...at, file, pointer: '/spec/profile', value: text, verdict: 'equal' },
    { ...at, file, pointer: '/spec/folders', value: [text], verdict: 'recorded', appliedAt: text },
    {
      ...at,
      file,
      pointer: '/spec/administrator/password',
      value: { env: text },
      verdict: 'unknowable',
      because: 'secret',
    },
  ]
  return {
    name: text,
    manifest: text,
    url: text,
    checkedAt: '2026-03-04T05:06:07.089Z',
    version: text,
    fields,
    unmanaged: [{ setting: 'systemProperties', name: text }],
  }
}

describe('a drift in Markdown', () => {
  test('says first how much is known, then what differs, then the rest', () => {
    const document = formatDriftMarkdown(driftOf('harmless'))
    expect(document).toMatch(
      /^<!-- landform-drift: harmless -->\n\n### Drift of `harmless`\n\n\*\*1 of 4 fields differs; /,
    )
    expect(document).toContain('1 cannot be verified')
    expect(document).toContain(
      '| `systemProperties.harmless` | changed on the site | `harmless` | the site has `harmless=harmless` | `harmless:7` |',
    )
  })

  test('has the shape of a harmless one, whatever stands in it', () => {
    const shape = (text: string) => JSON.stringify(treeOf(htmlOf(formatDriftMarkdown(driftOf(text)))))
    const harmless = shape('harmless')
    const isRaw = (line: string) => unprintable.test(line) || /##\w*\[|^\s*::/.test(line)
    const raw = hostileMarkup.filter(text => formatDriftMarkdown(driftOf(text)).split('\n').some(isRaw))
    expect(raw).toEqual([])
    // Reading Markdown takes long.
    const some = hostileMarkup.filter((_, at) => isAtLength || at % 3 === 1)
    expect(some.filter(text => shape(text) !== harmless)).toEqual([])
  })

  test('stays below what a comment holds, and ends after a whole row', () => {
    const { fields, ...drift } = driftOf('x'.repeat(300))
    const document = formatDriftMarkdown({
      ...drift,
      fields: Array.from({ length: 500 }, () => fields).flat(),
    })
    expect(document.length).toBeLessThan(65_536)
    expect(document).toMatch(/\n\n… and \d+ more\n\n/)
    for (const line of document.split('\n')) expect(/^\| .*[^|]$/.test(line)).toBe(false)
  })
})
