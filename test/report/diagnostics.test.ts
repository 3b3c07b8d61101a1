import { stripVTControlCharacters } from 'node:util'
import { catalog } from '../../src/diagnostics/catalog.js'
import type { DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { failureDocument } from '../../src/report/failures.js'
import { validationDocument } from '../../src/report/findings.js'
import { formatDiagnostics, formatSummary, showsSource } from '../../src/report/findings-text.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { aDiagnostic, aPlace } from '../support/a-diagnostic.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const hidden = { readLines: () => undefined, paint: plain }
const place = aPlace()

describe('diagnostics for people', () => {
  test('have place, severity, message and code in one line, then the marked lines, then the help', () => {
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

  test('show no lines of a file that may not be shown', () => {
    expect(formatDiagnostics([aDiagnostic({ place })], hidden)).toBe(
      'site.yaml:2:3  error  one is missing  volume/missing-component\n',
    )
  })

  test('mark a line far down, and cut a line that is very long', () => {
    const far = { ...place, start: { line: 5000, column: 3 }, end: { line: 5000, column: 4000 } }
    const lines = Array.from({ length: 6000 }, (_, index) => `line ${index + 1} ${'x'.repeat(5000)}`)
    const shown = formatDiagnostics([aDiagnostic({ place: far })], {
      readLines: () => lines,
      paint: plain,
    }).split('\n')
    expect(shown[3]).toMatch(/^> 5000 \| line 5000 x/)
    expect(Math.max(...shown.map(line => line.length))).toBeLessThan(140)
  })

  test('are cut where nobody reads on, and the rest is counted', () => {
    const many = Array.from({ length: 130 }, () => aDiagnostic({ place }))
    const text = formatDiagnostics(many, hidden)
    expect(text.match(/volume\/missing-component/g)).toHaveLength(100)
    expect(text).toContain('… and 30 more')
  })

  test.each([
    [3, 3, '… and 2 more\n'],
    [5, 5, undefined],
    [Number.POSITIVE_INFINITY, 5, undefined],
  ])('are cut after %d where that is asked for', (maxShown, shown, rest) => {
    const five = Array.from({ length: 5 }, () => aDiagnostic({ place }))
    const text = formatDiagnostics(five, { ...hidden, maxShown })
    expect(text.match(/volume\/missing-component/g)).toHaveLength(shown)
    expect(/….*\n/.exec(text)?.[0]).toBe(rest)
  })

  test('show the other places that explain one, after the help', () => {
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

  test.each(Object.keys(catalog) as DiagnosticCode[])('show the source of %s where people weigh it', code => {
    const { severity, source } = catalog[code]
    const text = formatDiagnostics([aDiagnostic({ code, severity })], hidden)
    expect(text.includes(`\n  source: ${source}\n`)).toBe(showsSource(severity, source))
  })

  test.each([
    ['::error::x.yaml', './::error::x.yaml:2:3'],
    [' ::x.yaml', './ ::x.yaml:2:3'],
    ['a::x.yaml', 'a::x.yaml:2:3'],
  ])('begin no line as a command of GitHub: %s', (file, shown) => {
    const text = formatDiagnostics([aDiagnostic({ place: aPlace({ file }) })], hidden)
    expect(text.startsWith(`${shown}  error`)).toBe(true)
  })

  test('need no place', () => {
    const text = formatDiagnostics([aDiagnostic({ severity: 'warning' })], {
      readLines: () => ['x'],
      paint: plain,
    })
    expect(text).toBe('warning  one is missing  volume/missing-component\n')
  })

  test.each(hostileTexts)('break no line and print nothing raw: %s', (_what, hostile) => {
    const diagnostic = aDiagnostic({
      message: `m${hostile}m`,
      help: `h${hostile}h`,
      place: { ...place, file: `f${hostile}f` },
    })
    const lines = formatDiagnostics([diagnostic, diagnostic], hidden).split('\n')
    expect(lines.map(line => line.slice(0, 1))).toEqual(['f', ' ', '', 'f', ' ', ''])
    for (const line of lines) expect(line).not.toMatch(unprintable)
  })

  test.each(hostileTexts.filter(([, text]) => !text.includes('\n')))(
    'print nothing raw of the file: %s',
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

  test('say the same with colours', () => {
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

describe('diagnostics for machines', () => {
  const diagnostics = [
    aDiagnostic({ place, help: 'add it' }),
    aDiagnostic({ severity: 'warning', pointer: '', message: hostileTexts.map(([, text]) => text).join('') }),
  ]

  test('have the shape that pipelines rely on', () => {
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

  test('keep the other places that explain one', () => {
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
    ['with all', { exitCode: 65, message: 'no', next: 'do this', diagnostics } as const],
    ['with an empty next step', { exitCode: 69, message: '', next: '' } as const],
  ])('a failure %s satisfies its published schema', (_what, failure) => {
    const document = failureDocument(failure)
    expect(listSchemaErrors('failure', document)).toEqual([])
    expect(document.error).toMatchObject({ exitCode: failure.exitCode, message: failure.message })
    expect('next' in document.error).toBe('next' in failure && failure.next !== '')
  })
})
