import { catalog } from '../../../src/diagnostics/catalog.js'
import type { Diagnostic, DiagnosticCode } from '../../../src/diagnostics/diagnostic.js'
import { explanations } from '../../../src/diagnostics/generated/explanations.js'
import { buildSarifLog } from '../../../src/report/findings-ci.js'
import { aDiagnostic, aPlace } from '../../support/a-diagnostic.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { listSarifErrors } from '../../support/sarif-errors.js'

const logOf = (diagnostics: readonly Diagnostic[], files: readonly string[] = ['site.yaml']) =>
  buildSarifLog({ files, diagnostics }, '1.2.3')
const runOf = (...parameters: Parameters<typeof logOf>) => logOf(...parameters).runs[0]
const uriOf = (file: string) =>
  runOf([aDiagnostic({ place: aPlace({ file }) })]).results[0]?.locations[0]?.physicalLocation
    .artifactLocation.uri

const codes = Object.keys(catalog) as DiagnosticCode[]
const related = [{ message: 'brought in here', place: aPlace({ file: 'base.yaml' }) }]

describe('a SARIF log', () => {
  test.each<[string, readonly Diagnostic[]]>([
    ['nothing', []],
    ['an error with a place', [aDiagnostic({ place: aPlace(), help: 'add it' })]],
    ['a warning without a place', [aDiagnostic({ severity: 'warning' })]],
    ['other places', [aDiagnostic({ place: aPlace(), related })]],
    ['every code', codes.map(code => aDiagnostic({ code, severity: catalog[code].severity }))],
    ['more than are shown', Array.from({ length: 5001 }, () => aDiagnostic())],
    ['hostile names', hostileTexts.map(([, file]) => aDiagnostic({ place: aPlace({ file }) }))],
  ])('of %s satisfies the official schema', (_what, diagnostics) => {
    expect(listSarifErrors(logOf(diagnostics))).toEqual([])
  })

  test.each([
    ['an unknown level', '"level":"error"', '"level":"bad"'],
    ['a line before the first', '"startLine":2', '"startLine":0'],
    ['a space in an address', '"uri":"site.yaml"', '"uri":"my site.yaml"'],
    ['an unknown field', '"ruleIndex"', '"ruleNumber"'],
  ])('would not satisfy it with %s', (_what, right, wrong) => {
    const log = JSON.stringify(logOf([aDiagnostic({ place: aPlace() })]))
    expect(listSarifErrors(JSON.parse(log.replace(right, wrong)))).not.toEqual([])
  })

  test('names the tool, its version, and how it counts columns', () => {
    expect(runOf([])).toMatchObject({
      tool: { driver: { name: 'Landform', version: '1.2.3', rules: [] } },
      columnKind: 'utf16CodeUnits',
      results: [],
    })
  })

  test('says of a finding what is wrong, what to write, and where', () => {
    const [result] = runOf([aDiagnostic({ place: aPlace(), help: 'add it', related })]).results
    const region = { startLine: 2, startColumn: 3, endLine: 2, endColumn: 9 }
    expect(result).toEqual({
      ruleId: 'volume/missing-component',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'one is missing; help: add it' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'site.yaml' }, region } }],
      relatedLocations: [
        {
          physicalLocation: { artifactLocation: { uri: 'base.yaml' }, region },
          message: { text: 'brought in here' },
        },
      ],
      partialFingerprints: { 'landform/v1': expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  })

  test('describes each code that occurs once, and each finding points at its own', () => {
    const order = ['yaml/syntax', 'site/url', 'yaml/syntax', 'volume/missing-component'] as const
    const { tool, results } = runOf(order.map(code => aDiagnostic({ code })))
    expect(tool.driver.rules.map(({ id }) => id)).toEqual([...new Set(order)])
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  })

  test.each(codes)('describes %s by the catalog', code => {
    const { title, source, severity } = catalog[code]
    const { text } = explanations[code]
    const [rule] = runOf([aDiagnostic({ code })]).tool.driver.rules
    expect(rule).toEqual({
      id: code,
      shortDescription: { text: title },
      fullDescription: { text },
      help: { text: `${text}\n\nSource: ${source}` },
      defaultConfiguration: { level: severity },
    })
  })

  test.each([
    ['sites/a.yaml', 'sites/a.yaml'],
    ['my site.yaml', 'my%20site.yaml'],
    ['100%.yaml', '100%25.yaml'],
    ['a:b.yaml', 'a%3Ab.yaml'],
    ['../a?b#c.yaml', '../a%3Fb%23c.yaml'],
    ['öst.yaml', '%C3%B6st.yaml'],
    ['<stdin>', '%3Cstdin%3E'],
    ['a\ud800.yaml', 'a%EF%BF%BD.yaml'],
  ])('refers to the file %j as %s', (file, uri) => {
    expect(uriOf(file)).toBe(uri)
  })

  test('points at the start of the first file where a finding has no place', () => {
    const [result] = runOf([aDiagnostic()], ['first.yaml', 'second.yaml']).results
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'first.yaml' },
      region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 },
    })
  })

  test('keeps the errors of too many findings, and says what it left out', () => {
    const warnings = Array.from({ length: 5000 }, () =>
      aDiagnostic({ severity: 'warning', code: 'site/url' }),
    )
    const run = runOf([...warnings, aDiagnostic()])
    expect(run.results).toHaveLength(5000)
    expect(run.results.map(({ level }) => level).indexOf('warning')).toBe(1)
    expect(run.invocations?.[0]?.toolExecutionNotifications[0]?.message.text).toBe(
      '5000 of 5001 findings are in this log, errors first',
    )
    expect('invocations' in runOf(warnings)).toBe(false)
  })
})
