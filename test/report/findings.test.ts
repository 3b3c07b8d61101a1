import { stripVTControlCharacters } from 'node:util'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { failureDocument } from '../../src/report/command-failure.js'
import { identifyFindings, sortErrorsFirst, validationDocument } from '../../src/report/findings.js'
import { buildCodeQualityReport, buildSarifLog } from '../../src/report/findings-ci.js'
import { formatDiagnostics, formatSummary, showsSource } from '../../src/report/findings-text.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { aDiagnostic, aPlace } from '../support/a-diagnostic.js'
import { aSource } from '../support/changed-manifest.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const manifestText =
  'kind: SiteDeployment\nspec:\n  volumes: { A: 1 }\n  upgrades: {}\n  site: { version: 11.2, urll: x }\n'

const check = (content: string) => ({
  files: ['site.yaml'],
  diagnostics: loadManifest(aSource(content)).diagnostics,
})
const fingerprints = (content: string) =>
  identifyFindings(check(content)).map(({ fingerprint }) => fingerprint)
const readLines = (content: string) => check(content).diagnostics.map(({ place }) => place?.start.line)
const reportOf = (diagnostics: readonly Diagnostic[], files: readonly string[] = ['site.yaml']) =>
  identifyFindings({ files, diagnostics })

describe('the fingerprint of a diagnostic', () => {
  test.each([
    ['mistakes in fields', manifestText, 6],
    ['the same mistake at the same position', 'a: 1\na: 2\na: 3\n', 2],
    ['a mistake of YAML, which has no pointer', 'a: ]\n', 1],
  ])('is unchanged if lines are inserted above, and is unique: %s', (_what, content, count) => {
    const moved = `# one\n\n# two\n${content}`
    expect(readLines(moved)).toEqual(readLines(content).map(line => (line ?? 0) + 3))
    expect(fingerprints(moved)).toEqual(fingerprints(content))
    expect(fingerprints(content)).toHaveLength(count)
    expect(new Set(fingerprints(content)).size).toBe(count)
  })

  test('is unique even among equal diagnostics', () => {
    const one = aDiagnostic({ pointer: '', place: aPlace() })
    const found = reportOf([one, one, { ...one }])
    expect(found.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3])
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })

  test.each<[string, Partial<Diagnostic>]>([
    ['code', { code: 'site/url' }],
    ['pointer', { pointer: '/spec' }],
    ['file', { place: aPlace({ file: 'other.yaml' }) }],
  ])('differs with the %s', (_what, change) => {
    const one = aDiagnostic({ place: aPlace() })
    const [a, b] = [reportOf([one]), reportOf([{ ...one, ...change }])]
    expect(a[0]?.fingerprint).not.toBe(b[0]?.fingerprint)
  })

  test.each<[string, Partial<Diagnostic>]>([
    ['wording', { message: 'another message', help: 'another help' }],
    ['severity', { severity: 'warning' }],
    [
      'position in the file',
      { place: aPlace({ start: { line: 7, column: 1 }, end: { line: 9, column: 1 } }) },
    ],
  ])('does not depend on the %s', (_what, change) => {
    const one = aDiagnostic({ place: aPlace() })
    expect(reportOf([{ ...one, ...change }])[0]?.fingerprint).toBe(reportOf([one])[0]?.fingerprint)
  })

  test('cannot be the same for differently divided texts', () => {
    const place = aPlace({ file: 'a' })
    const [a] = reportOf([aDiagnostic({ pointer: '/b"]1' as const, place })])
    const [b] = reportOf([aDiagnostic({ pointer: '/b', place })])
    expect(a?.fingerprint).not.toBe(b?.fingerprint)
  })

  test('is the same in every format', () => {
    const findings = check(manifestText)
    const sarif = buildSarifLog(findings, '1').runs[0].results.map(
      one => one.partialFingerprints['landform/v1'],
    )
    expect(new Set(buildCodeQualityReport(findings).map(({ fingerprint }) => fingerprint))).toEqual(
      new Set(sarif),
    )
  })
})

describe('diagnostics', () => {
  test('have a position even if no file is known', () => {
    expect(reportOf([aDiagnostic()], [])[0]?.place).toMatchObject({ file: 'manifest', start: { line: 1 } })
  })

  test('are sorted only by severity', () => {
    const severities = ['warning', 'error', 'warning', 'error'] as const
    const found = reportOf(severities.map((severity, at) => aDiagnostic({ severity, message: `${at}` })))
    expect(sortErrorsFirst(found).map(({ diagnostic }) => diagnostic.message)).toEqual(['1', '3', '0', '2'])
  })
})

const hidden = { readLines: () => undefined, paint: plain }
const place = aPlace()

describe('diagnostics as text', () => {
  test('have position, severity, message and code in one line, then the marked lines, then the help', () => {
    const text = formatDiagnostics([aDiagnostic({ place, help: 'add it' })], {
      readLines: file =>
        file === 'site.yaml' ? 'spec:\n  volumes: {}\n  folders: []\n  x: 1\n'.split('\n') : undefined,
      paint: plain,
    })
    expect(text.split('\n')).toEqual([
      'site.yaml:2:3  error  one is missing  volume/missing-component',
      '  1 | spec:',
      '> 2 |   volumes: {}',
      '    |   ^^^^^^',
      '  3 |   folders: []',
      '  help: add it',
      '',
    ])
  })

  test('show no lines of a file that must not be shown', () => {
    expect(formatDiagnostics([aDiagnostic({ place })], hidden)).toBe(
      'site.yaml:2:3  error  one is missing  volume/missing-component\n',
    )
  })

  test('of sibling fields with the same message are merged, with a list of the others', () => {
    const about = (name: string, line: number, help = 'write it') =>
      aDiagnostic({
        message: `the volume of \`${name}\` has none`,
        pointer: `/spec/volumes/${name}/size`,
        place: { ...place, start: { line, column: 3 } },
        help,
      })
    const all = [
      about('BLOB', 4),
      about('QUEUE', 6),
      about('INDEXER', 8, 'write another'),
      about('SHARING', 9),
    ]
    expect(formatDiagnostics(all, hidden).split('\n')).toEqual([
      'site.yaml:4:3  error  the volume of `BLOB` has none  volume/missing-component',
      '  also: QUEUE.size (line 6), SHARING.size (line 9)',
      '  help: write it',
      '',
      'site.yaml:8:3  error  the volume of `INDEXER` has none  volume/missing-component',
      '  help: write another',
      '',
    ])
  })

  test('mark a line far down, and truncate a very long line', () => {
    const far = { ...place, start: { line: 5000, column: 3 }, end: { line: 5000, column: 4000 } }
    const lines = Array.from({ length: 6000 }, (_, index) => `line ${index + 1} ${'x'.repeat(5000)}`)
    const shown = formatDiagnostics([aDiagnostic({ place: far })], {
      readLines: () => lines,
      paint: plain,
    }).split('\n')
    expect(shown[3]).toMatch(/^> 5000 \| line 5000 x/)
    expect(Math.max(...shown.map(line => line.length))).toBeLessThan(140)
  })

  test.each([
    [3, 3, '… and 127 more\n'],
    [130, 130, undefined],
    [Number.POSITIVE_INFINITY, 130, undefined],
    [undefined, 100, '… and 30 more\n'],
  ])('are limited to the given number %p, and the others are counted', (maxShown, shown, rest) => {
    const many = Array.from({ length: 130 }, () => aDiagnostic({ place }))
    const text = formatDiagnostics(many, { ...hidden, ...(maxShown !== undefined && { maxShown }) })
    expect(text.match(/volume\/missing-component/g)).toHaveLength(shown)
    expect(/….*\n/.exec(text)?.[0]).toBe(rest)
  })

  test('show the other positions that explain a diagnostic, after the help', () => {
    const related = [{ message: 'brought in here', place: aPlace({ file: 'base.yaml' }) }]
    const text = formatDiagnostics([aDiagnostic({ place, help: 'add it', related })], hidden)
    expect(text.split('\n').slice(1)).toEqual([
      '  help: add it',
      '  note: brought in here (base.yaml:2:3)',
      '',
    ])
  })

  test.each([
    ['warning', 'Reported: a guide of the vendor', true],
    ['warning', 'Kubernetes', true],
    ['warning', 'Landform', false],
    ['warning', 'Service §9', false],
    ['error', 'Kubernetes', false],
    ['error', 'Reported: a guide of the vendor', false],
  ] as const)('of severity %s from "%s" show the source: %p', (severity, source, shown) => {
    expect(showsSource(severity, source)).toBe(shown)
  })

  test.each([
    ['::error::x.yaml', './::error::x.yaml:2:3'],
    [' ::x.yaml', './ ::x.yaml:2:3'],
    ['a::x.yaml', 'a::x.yaml:2:3'],
  ])('never begin a line as a command of GitHub: %s', (file, shown) => {
    const text = formatDiagnostics([aDiagnostic({ place: aPlace({ file }) })], hidden)
    expect(text.startsWith(`${shown}  error`)).toBe(true)
  })

  test('need no position', () => {
    const text = formatDiagnostics([aDiagnostic({ severity: 'warning' })], {
      readLines: () => ['x'],
      paint: plain,
    })
    expect(text).toBe('warning  one is missing  volume/missing-component\n')
  })

  test.each(hostileTexts.filter(([, text]) => !text.includes('\n')))(
    'escape hostile texts of the file: %s',
    (_what, hostile) => {
      const source = `spec:\n  a: ${hostile}\n  b: 1\n`
      const lines = formatDiagnostics([aDiagnostic({ place })], {
        readLines: () => source.split('\n'),
        paint: plain,
      }).split('\n')
      expect(lines.length).toBe(6)
      for (const line of lines) expect(line).not.toMatch(unprintable)
    },
  )

  test('have the same text with colours', () => {
    const all = [aDiagnostic({ place, help: 'add it' })]
    const text = formatDiagnostics(all, { ...hidden, paint: coloured })
    expect(text).not.toBe(stripVTControlCharacters(text))
    expect(stripVTControlCharacters(text)).toBe(formatDiagnostics(all, hidden))
  })

  test.each([
    [1, [aDiagnostic()], '1 file, 1 error, 0 warnings'],
    [2, [aDiagnostic(), aDiagnostic(), aDiagnostic({ severity: 'warning' })], '2 files, 2 errors, 1 warning'],
    [0, [], '0 files, 0 errors, 0 warnings'],
  ] as const)('are counted (%i files)', (files, diagnostics, text) => {
    expect(formatSummary(files, diagnostics)).toBe(text)
  })
})

describe('diagnostics as documents', () => {
  const diagnostics = [
    aDiagnostic({ place, help: 'add it' }),
    aDiagnostic({ severity: 'warning', pointer: '', message: hostileTexts.map(([, text]) => text).join('') }),
  ]

  test('have the form that pipelines rely on', () => {
    expect(validationDocument({ files: ['a', 'b', 'c'], diagnostics: diagnostics.slice(0, 1) })).toEqual({
      formatVersion: 1,
      diagnostics: [
        {
          code: 'volume/missing-component',
          severity: 'error',
          message: 'one is missing',
          help: 'add it',
          source: 'Service §2.4, §8',
          file: 'site.yaml',
          pointer: '/spec/volumes',
          range: { start: { line: 2, column: 3 }, end: { line: 2, column: 9 } },
        },
      ],
      summary: { files: 3, errors: 1, warnings: 0 },
    })
  })

  test('keep the other positions that explain a diagnostic', () => {
    const document = validationDocument({
      files: ['a'],
      diagnostics: [aDiagnostic({ related: [{ message: 'brought in here', place }] })],
    })
    const { start, end } = place
    expect(document.diagnostics[0]).toMatchObject({
      related: [{ message: 'brought in here', file: 'site.yaml', range: { start, end } }],
    })
    expect(listSchemaErrors('validation', document)).toEqual([])
  })

  test.each([[[]], [diagnostics]])('satisfy their published schema', all => {
    expect(listSchemaErrors('validation', validationDocument({ files: ['a'], diagnostics: all }))).toEqual([])
  })

  test.each([
    ['alone', { exitCode: 70, message: 'no' } as const],
    ['with all members', { exitCode: 65, message: 'no', next: ['do this'], diagnostics } as const],
    ['with an empty next step', { exitCode: 69, message: '', next: [] } as const],
  ])('a failure %s satisfies its published schema', (_what, failure) => {
    const document = failureDocument(failure)
    expect(listSchemaErrors('failure', document)).toEqual([])
    expect(document.error).toMatchObject({ exitCode: failure.exitCode, message: failure.message })
    expect('next' in document.error).toBe('next' in failure && failure.next.length > 0)
  })
})
