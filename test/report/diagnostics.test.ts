import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import type { Diagnostic, Place } from '../../src/diagnostics/diagnostic.js'
import { validationDocument } from '../../src/report/diagnostics-json.js'
import { formatDiagnostics } from '../../src/report/diagnostics-text.js'
import { failureDocument } from '../../src/report/failure-json.js'
import { coloured, plain } from '../../src/report/paint.js'
import { formatSummary } from '../../src/report/summary.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { schemaComplaints } from '../support/schema-complaints.js'

const place: Place = { file: 'site.yaml', start: { line: 2, column: 3 }, end: { line: 2, column: 9 } }

function aDiagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'volume/missing-component',
    severity: 'error',
    message: 'one is missing',
    pointer: '/spec/volumes',
    ...changes,
  }
}

describe('diagnostics for people', () => {
  test('have place, severity, message and code in one line, then the marked lines, then the help', () => {
    const text = formatDiagnostics(
      [aDiagnostic({ place, help: 'add it' })],
      file =>
        file === 'site.yaml' ? 'spec:\n  volumes: {}\n  folders: []\n  x: 1\n'.split('\n') : undefined,
      plain,
    )
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
    expect(formatDiagnostics([aDiagnostic({ place })], () => undefined, plain)).toBe(
      'site.yaml:2:3  error  one is missing  volume/missing-component\n',
    )
  })

  test('mark a line far down, and cut a line that is very long', () => {
    const far = { ...place, start: { line: 5000, column: 3 }, end: { line: 5000, column: 4000 } }
    const lines = Array.from({ length: 6000 }, (_, index) => `line ${index + 1} ${'x'.repeat(5000)}`)
    const shown = formatDiagnostics([aDiagnostic({ place: far })], () => lines, plain).split('\n')
    expect(shown[3]).toMatch(/^> 5000 \| line 5000 x/)
    expect(Math.max(...shown.map(line => line.length))).toBeLessThan(140)
  })

  test('are cut where nobody reads on, and the rest is counted', () => {
    const many = Array.from({ length: 130 }, () => aDiagnostic({ place }))
    const text = formatDiagnostics(many, () => undefined, plain)
    expect(text.match(/volume\/missing-component/g)).toHaveLength(100)
    expect(text).toContain('… and 30 more')
  })

  test('need no place', () => {
    const text = formatDiagnostics([aDiagnostic({ severity: 'warning' })], () => ['x'], plain)
    expect(text).toBe('warning  one is missing  volume/missing-component\n')
  })

  test.each(hostileTexts)('break no line and print nothing raw: %s', (_what, hostile) => {
    const diagnostic = aDiagnostic({
      message: `m${hostile}m`,
      help: `h${hostile}h`,
      place: { ...place, file: `f${hostile}f` },
    })
    const lines = formatDiagnostics([diagnostic, diagnostic], () => undefined, plain).split('\n')
    expect(lines.map(line => line.slice(0, 1))).toEqual(['f', ' ', '', 'f', ' ', ''])
    for (const line of lines) expect(line).not.toMatch(unprintable)
  })

  test.each(hostileTexts.filter(([, text]) => !text.includes('\n')))(
    'print nothing raw of the file: %s',
    (_what, hostile) => {
      const source = `spec:\n  a: ${hostile}\n  b: 1\n`
      const lines = formatDiagnostics([aDiagnostic({ place })], () => source.split('\n'), plain).split('\n')
      expect(lines.length).toBe(6)
      for (const line of lines) expect(line).not.toMatch(unprintable)
    },
  )

  test('say the same with colours', () => {
    const all = [aDiagnostic({ place, help: 'add it' })]
    const text = formatDiagnostics(all, () => undefined, coloured)
    expect(text).not.toBe(stripVTControlCharacters(text))
    expect(stripVTControlCharacters(text)).toBe(formatDiagnostics(all, () => undefined, plain))
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
    expect(validationDocument(3, diagnostics.slice(0, 1))).toEqual({
      formatVersion: 1,
      diagnostics: [
        {
          code: 'volume/missing-component',
          severity: 'error',
          message: 'one is missing',
          help: 'add it',
          file: 'site.yaml',
          pointer: '/spec/volumes',
          range: { start: { line: 2, column: 3 }, end: { line: 2, column: 9 } },
        },
      ],
      summary: { files: 3, errors: 1, warnings: 0 },
    })
  })

  test.each([[[]], [diagnostics]])('satisfy their published schema', all => {
    expect(schemaComplaints('validation', validationDocument(1, all))).toEqual([])
  })

  test.each([
    ['alone', { exitCode: 70, message: 'no' } as const],
    ['with all', { exitCode: 65, message: 'no', next: 'do this', diagnostics } as const],
    ['with an empty next step', { exitCode: 69, message: '', next: '' } as const],
  ])('a failure %s satisfies its published schema', (_what, failure) => {
    const document = failureDocument(failure)
    expect(schemaComplaints('failure', document)).toEqual([])
    expect(document.error).toMatchObject({ exitCode: failure.exitCode, message: failure.message })
    expect('next' in document.error).toBe('next' in failure && failure.next !== '')
  })
})
