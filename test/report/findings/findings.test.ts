import type { Diagnostic } from '../../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../../src/manifest/load-manifest.js'
import { identifyFindings, sortErrorsFirst } from '../../../src/report/findings.js'
import { buildCodeQualityReport, buildSarifLog } from '../../../src/report/findings-ci.js'
import { aDiagnostic, aPlace } from '../../support/a-diagnostic.js'
import { aSource } from '../../support/changed-manifest.js'

const text =
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

describe('the fingerprint of a finding', () => {
  test.each([
    ['mistakes in fields', text, 7],
    ['the same mistake in the same place', 'a: 1\na: 2\na: 3\n', 2],
    ['a mistake of YAML, which has no pointer', 'a: ]\n', 1],
  ])('stays when lines are inserted above, and is unique: %s', (_what, content, count) => {
    const moved = `# one\n\n# two\n${content}`
    expect(readLines(moved)).toEqual(readLines(content).map(line => (line ?? 0) + 3))
    expect(fingerprints(moved)).toEqual(fingerprints(content))
    expect(fingerprints(content)).toHaveLength(count)
    expect(new Set(fingerprints(content)).size).toBe(count)
  })

  test('is unique among equals, even of one and the same diagnostic', () => {
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
    ['place in the file', { place: aPlace({ start: { line: 7, column: 1 }, end: { line: 9, column: 1 } }) }],
  ])('does not depend on the %s', (_what, change) => {
    const one = aDiagnostic({ place: aPlace() })
    expect(reportOf([{ ...one, ...change }])[0]?.fingerprint).toBe(reportOf([one])[0]?.fingerprint)
  })

  test('is not made of parts that could be cut elsewhere', () => {
    const place = aPlace({ file: 'a' })
    const [a] = reportOf([aDiagnostic({ pointer: '/b"]1' as const, place })])
    const [b] = reportOf([aDiagnostic({ pointer: '/b', place })])
    expect(a?.fingerprint).not.toBe(b?.fingerprint)
  })

  test('is the same in every format', () => {
    const findings = check(text)
    const sarif = buildSarifLog(findings, '1').runs[0].results.map(
      one => one.partialFingerprints['landform/v1'],
    )
    expect(new Set(buildCodeQualityReport(findings).map(({ fingerprint }) => fingerprint))).toEqual(
      new Set(sarif),
    )
  })
})

describe('findings', () => {
  test('have a place even where no file is known', () => {
    expect(reportOf([aDiagnostic()], [])[0]?.place).toMatchObject({ file: 'manifest', start: { line: 1 } })
  })

  test('are sorted by severity and nothing else', () => {
    const severities = ['warning', 'error', 'warning', 'error'] as const
    const found = reportOf(severities.map((severity, at) => aDiagnostic({ severity, message: `${at}` })))
    expect(sortErrorsFirst(found).map(({ diagnostic }) => diagnostic.message)).toEqual(['1', '3', '0', '2'])
  })
})
