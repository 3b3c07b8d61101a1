import type { Drift, DriftField } from '../../src/plan/drift/drift.js'
import { formatDrift, formatDriftMarkdown } from '../../src/report/drift.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { isAtLength } from '../support/cases.js'
import { harmIn } from '../support/harm-done.js'
import { hostileMarkup } from '../support/hostile-markup.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { htmlOf, treeOf } from '../support/markup-tree.js'

const appliedAt = '2026-03-04T05:06:07.089Z'
const at = { parameter: 'p', file: 'site.yaml', line: 7 } as const
const equal: DriftField = { ...at, pointer: '/spec/profile', value: 'development', verdict: 'equal' }
const changed: DriftField = {
  ...at,
  pointer: '/spec/logLevel',
  value: 'INFO',
  verdict: 'different',
  source: 'site',
  found: 'DEBUG',
  cause: 'changed-on-site',
}
const recorded: DriftField = {
  ...at,
  pointer: '/spec/folders',
  value: ['/a'],
  verdict: 'recorded',
  appliedAt,
}
const secret: DriftField = {
  ...at,
  pointer: '/spec/administrator/password',
  value: { env: 'LANDFORM_ADMIN_PASSWORD' },
  verdict: 'unknowable',
  because: 'secret',
}

function aDrift(fields: readonly DriftField[], changes: Partial<Drift> = {}): Drift {
  return {
    name: 'production',
    manifest: 'site.yaml',
    url: 'https://gis.example.org/arcgis/admin',
    checkedAt: appliedAt,
    version: '11.2.0',
    fields,
    unmanaged: [],
    ...changes,
  }
}

const compact = (drift: Drift) => formatDrift(drift, { paint: plain, verbose: false })
const verbose = (drift: Drift) => formatDrift(drift, { paint: plain, verbose: true })
const lastLine = (fields: readonly DriftField[]) => compact(aDrift(fields)).trimEnd().split('\n').at(-1)

describe('the last line', () => {
  test.each<[string, readonly DriftField[], string]>([
    [
      'all is equal',
      [equal],
      'No drift in the 1 readable field. 100 % of the fields are readable on the site.',
    ],
    [
      'some is equal',
      [equal, equal, recorded, secret],
      'No drift in the 2 readable fields; 1 matches the last apply on 2026-03-04; 1 cannot be verified. 50 % of the fields are readable on the site.',
    ],
    [
      'the site reports nothing',
      [recorded, recorded, secret],
      'Warning: 0 of 3 fields could be compared with the site; 2 match the last apply on 2026-03-04; 1 cannot be verified.',
    ],
    [
      'one differs',
      [changed, equal, secret],
      '1 of 3 fields differs; 1 cannot be verified. 66 % of the fields are readable on the site.',
    ],
    [
      'two differ',
      [changed, { ...changed, source: 'record', cause: 'edited' }],
      '2 of 2 fields differ. 50 % of the fields are readable on the site.',
    ],
    [
      'there were two applies',
      [recorded, { ...recorded, appliedAt: '2026-01-02T00:00:00.000Z' } as DriftField],
      'Warning: 0 of 2 fields could be compared with the site; 2 match the last applies on 2026-01-02 and 2026-03-04.',
    ],
  ])('if %s', (_what, fields, expected) => {
    expect(lastLine(fields)).toBe(expected)
  })

  test('always includes the fields that cannot be verified', () => {
    for (const shown of [[equal, secret], [changed, secret], [recorded, secret], [secret]])
      expect(lastLine(shown)).toContain('1 cannot be verified')
  })
})

test('differences are listed with both values, the cause and the position; all other fields in groups', () => {
  expect(
    compact(
      aDrift([equal, changed, recorded, { ...recorded }, secret], {
        unmanaged: [{ setting: 'upgradeConfig', name: 'limits' }],
      }),
    ),
  ).toBe(
    `Drift of production  https://gis.example.org/arcgis/admin
The site is ready, version 11.2.0.

  ~ logLevel  INFO, DEBUG on the site  changed on the site  site.yaml:7

  = 1 equal on the site: profile
  . 2 as last applied, not readable on the site: folders (2)
  ? 1 unknown (secrets are neither read back nor recorded): administrator.password

  Not managed by this manifest: limits (upgrade configuration)

1 of 5 fields differs; 2 match the last apply on 2026-03-04; 1 cannot be verified. 40 % of the fields are readable on the site.
`,
  )
})

test('with -v every field has a line', () => {
  const lines = verbose(aDrift([equal, changed, recorded, secret])).split('\n')
  expect(lines.filter(line => line.endsWith('site.yaml:7'))).toEqual([
    '  ~ logLevel  INFO, DEBUG on the site  changed on the site  site.yaml:7',
    '  = profile                 development  equal on the site  site.yaml:7',
    '  . folders                 ["/a"]  matches the apply of 2026-03-04  site.yaml:7',
    '  ? administrator.password  (secret from LANDFORM_ADMIN_PASSWORD)  secrets are neither read back nor recorded  site.yaml:7',
  ])
})

test.each<[Partial<DriftField>, string]>([
  [{ found: 'DEBUG' }, 'INFO, DEBUG on the site'],
  [{ found: 'DEBUG', source: 'record' } as Partial<DriftField>, 'INFO, DEBUG at the last apply'],
  [{}, 'INFO, none on the site'],
])('%j reads: %s', (changes, expected) => {
  const { found: _, ...rest } = changed as DriftField & { verdict: 'different' }
  expect(compact(aDrift([{ ...rest, ...changes } as DriftField]))).toContain(`logLevel  ${expected}  `)
})

test('a value that only the site has is marked as such', () => {
  const { value: _, ...rest } = changed
  expect(compact(aDrift([rest as DriftField]))).toContain('logLevel  only DEBUG on the site')
})

test('labels that look like a secret are shown as labels', () => {
  const labels: DriftField = { ...equal, pointer: '/spec/volumes/BLOB/labels', value: { env: 'production' } }
  expect(verbose(aDrift([labels]))).toContain('env=production')
})

test('colour never carries meaning by itself', () => {
  const drift = aDrift([equal, changed, recorded, secret])
  const painted = formatDrift(drift, { paint: coloured, verbose: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
  expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(verbose(drift))
})

/** A drift in which every text from outside is `text`. */
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

test.each(hostileTexts)('escapes hostile texts: %s', (_what, text) => {
  for (const format of [compact, verbose]) expect(harmIn(format(driftOf(text)))).toEqual([])
})

describe('a drift in Markdown', () => {
  test('has the coverage first, then the differences, then the rest', () => {
    const document = formatDriftMarkdown(driftOf('harmless'))
    expect(document).toMatch(
      /^<!-- landform-drift: harmless -->\n\n### Drift of `harmless`\n\n\*\*1 of 4 fields differs; /,
    )
    expect(document).toContain('1 cannot be verified')
    expect(document).toContain(
      '| `systemProperties.harmless` | changed on the site | `harmless` | the site has `harmless=harmless` | `harmless:7` |',
    )
  })

  test('has the same structure with hostile texts as with harmless ones', () => {
    const shape = (text: string) => JSON.stringify(treeOf(htmlOf(formatDriftMarkdown(driftOf(text)))))
    const harmless = shape('harmless')
    const isRaw = (line: string) => unprintable.test(line) || /##\w*\[|^\s*::/.test(line)
    const raw = hostileMarkup.filter(text => formatDriftMarkdown(driftOf(text)).split('\n').some(isRaw))
    expect(raw).toEqual([])
    // Parsing Markdown takes long.
    const some = hostileMarkup.filter((_, at) => isAtLength || at % 3 === 1)
    expect(some.filter(text => shape(text) !== harmless)).toEqual([])
  })

  test('stays below the size limit of a comment, and ends after a whole row', () => {
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
