import { validationReports } from '../../src/cli/check/validation-reports.js'
import { catalog, type Diagnostic, type DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { explanations } from '../../src/diagnostics/generated/explanations.js'
import { buildCodeQualityReport, buildSarifLog, formatGithubCommands } from '../../src/report/findings-ci.js'
import { plain } from '../../src/report/terminal.js'
import { escapeXml } from '../../src/report/test-results.js'
import { aDiagnostic, aHostileDiagnostic, aPlace } from '../support/a-diagnostic.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { parsedXml } from '../support/parsed-xml.js'
import { listSarifErrors } from '../support/sarif-errors.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const markup = `a < b & "c" > 'd' ]]> <!-- &amp; &#10;`
const error = aDiagnostic({ place: aPlace(), message: markup, help: 'add it' })
const warning = aDiagnostic({ place: aPlace(), code: 'site/url', severity: 'warning', pointer: '/spec/site' })
const findings = { files: ['site.yaml', 'good.yaml'], diagnostics: [warning, error, error] }
const said = `${markup}; help: add it`

test('XML contains no characters that are invalid in it', () => {
  const codes = [...Array(0x20).keys(), 0x7f, 0xd800, 0xdfff, 0xfffe, 0xffff]
  const text = codes.map(code => String.fromCharCode(code)).join('')
  expect(parsedXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`).text).toContain('\\x1f')
})

test('a Code Quality report has the problem, its severity, position and fingerprint', () => {
  expect(buildCodeQualityReport(findings)).toEqual([
    {
      description: 'one is missing',
      check_name: 'site/url',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'minor',
      location: { path: 'site.yaml', lines: { begin: 2 } },
    },
    ...Array.from({ length: 2 }, () => ({
      description: said,
      check_name: 'volume/missing-component',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'site.yaml', lines: { begin: 2 } },
    })),
  ])
})

describe('GitHub commands', () => {
  const commands = (diagnostics: readonly Diagnostic[], most = 100) =>
    formatGithubCommands({ files: ['site.yaml'], diagnostics }, most)

  test('have the message and the position, errors first', () => {
    expect(commands([warning, aDiagnostic({ place: aPlace(), help: 'add it' })])).toBe(
      '::error file=site.yaml,line=2,endLine=2,col=3,endColumn=9,title=volume/missing-component::one is missing; help: add it\n' +
        '::warning file=site.yaml,line=2,endLine=2,col=3,endColumn=9,title=site/url::one is missing\n',
    )
  })

  test('have columns only for a range within a line', () => {
    const place = aPlace({ end: { line: 4, column: 1 } })
    expect(commands([aDiagnostic({ place })])).toMatch(/^::error file=site\.yaml,line=2,endLine=4,title=/)
  })

  test('escape the characters that would end a property or a line', () => {
    const place = aPlace({ file: 'a,b:c%0A::d.yaml' })
    const [line] = commands([aDiagnostic({ place, message: '100%, a::b %0A::error::x' })]).split('\n')
    expect(line).toContain('file=a%2Cb%3Ac%250A%3A%3Ad.yaml,line=2')
    expect(line).toMatch(/::100%25, a::b %250A::error::x$/)
  })

  test('are limited to the given number, and the others are counted', () => {
    const many = [...Array.from({ length: 4 }, () => warning), error]
    expect(
      commands(many, 2)
        .split('\n')
        .map(line => line.split(' ')[0]),
    ).toEqual(['::error', '::warning', '::notice', ''])
    expect(commands(many, 2)).toContain('::3 more of 5 findings are not shown here\n')
    expect(commands(many, 5)).not.toContain('notice')
    expect(commands(many, Number.POSITIVE_INFINITY).match(/^::(error|warning) /gm)).toHaveLength(5)
  })

  test('are empty without diagnostics', () => {
    expect(commands([])).toBe('')
  })
})

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
    ['an error with a position', [aDiagnostic({ place: aPlace(), help: 'add it' })]],
    ['a warning without a position', [aDiagnostic({ severity: 'warning' })]],
    ['other positions', [aDiagnostic({ place: aPlace(), related })]],
    ['every code', codes.map(code => aDiagnostic({ code, severity: catalog[code].severity }))],
    ['more than are shown', Array.from({ length: 5001 }, () => aDiagnostic())],
    ['hostile names', hostileTexts.map(([, file]) => aDiagnostic({ place: aPlace({ file }) }))],
  ])('with %s satisfies the official schema', (_what, diagnostics) => {
    expect(listSarifErrors(logOf(diagnostics))).toEqual([])
  })

  test.each([
    ['an unknown level', '"level":"error"', '"level":"bad"'],
    ['a line before the first', '"startLine":2', '"startLine":0'],
    ['a space in a URL', '"uri":"site.yaml"', '"uri":"my site.yaml"'],
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

  test('describes each diagnostic with its message, help and position', () => {
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

  test('describes each code once, and each result refers to its own', () => {
    const order = ['yaml/syntax', 'site/url', 'yaml/syntax', 'volume/missing-component'] as const
    const { tool, results } = runOf(order.map(code => aDiagnostic({ code })))
    expect(tool.driver.rules.map(({ id }) => id)).toEqual([...new Set(order)])
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  })

  test.each(codes)('describes %s with the texts of the catalog', code => {
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

  test('points at the start of the first file if a diagnostic has no position', () => {
    const [result] = runOf([aDiagnostic()], ['first.yaml', 'second.yaml']).results
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'first.yaml' },
      region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 },
    })
  })

  test('keeps the errors of too many diagnostics, and reports how many it omits', () => {
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

type Format = keyof typeof validationReports

const view = { readLines: () => undefined, paint: plain, maxShown: 100 }
const runnerMarks = [
  ['a command of GitHub', '::add-mask::x'],
  ['an old command of GitHub', '##[error]x'],
  ['a command of Azure', '##vso[task.setvariable variable=PATH]x'],
  ['a message to TeamCity', "##teamcity[message text='x']"],
  ['a # too many', '###[error]x'],
  ['markup', '<b>&"\']]></b><!--'],
  ['escaped line breaks', '%0A::error::x&#10;\\n\\u000a'],
] as const
const texts: readonly (readonly [string, string])[] = [...hostileTexts, ...runnerMarks]

/** The allowed beginnings of lines for each format, apart from whitespace; none comes from a manifest. */
const beginnings: Readonly<Record<Format, RegExp>> = {
  // A position comes first here: a file name is not ours, so it may be anything except a command.
  text: /^(?!\s*::)/,
  json: /^ *("[a-z]+"(: |$)|[{}[\]])/i,
  sarif: /^ *("\$?[a-z/\d]+"(: |$)|[{}[\]])/i,
  github: /^::(error|warning|notice) /,
  gitlab: /^ *("[a-z_]+"(: |$)|[{}[\]])/,
}

/** Parses a document as its consumers do, and throws if they could not. */
const readers: Readonly<Record<Format, (document: string) => unknown>> = {
  text: document => expect(document).toMatch(/^\d files?, \d errors?, \d warnings?\n$/m),
  json: document => expect(listSchemaErrors('validation', JSON.parse(document))).toEqual([]),
  sarif(document) {
    const log = JSON.parse(document)
    expect(listSarifErrors(log)).toEqual([])
    expect(rawIn(log.runs[0].results)).toEqual([])
  },
  github: document => {
    const line = /^::(error|warning|notice) (\w+=[^,:\r\n]*)(,\w+=[^,:\r\n]*)*::[^\r\n]+$/
    expect(
      document
        .split('\n')
        .slice(0, -1)
        .filter(command => !line.test(command)),
    ).toEqual([])
  },
  gitlab(document) {
    const list = JSON.parse(document)
    expect(Array.isArray(list)).toBe(true)
    expect(rawIn(list)).toEqual([])
  },
}

/** The unsafe texts of a parsed document; only `json` keeps them unchanged. */
function rawIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return unprintable.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(rawIn) : []
}

const formats = Object.keys(validationReports) as Format[]

describe.each(formats)('the format %s', format => {
  const render = validationReports[format]

  test.each(texts)(
    'is one document with only lines of its own, and all special characters escaped: %s',
    (_what, hostile) => {
      const diagnostics = [
        aHostileDiagnostic(hostile),
        { ...aHostileDiagnostic(hostile), severity: 'warning' as const },
        aDiagnostic({ message: `m${hostile}` }),
      ]
      const document = render({ files: [`f${hostile}`], diagnostics }, view)
      readers[format](document)
      expect(document.at(-1)).toBe('\n')
      const isWrong = (line: string) =>
        unprintable.test(line) || /##\w*\[/.test(line) || !beginnings[format].test(line)
      expect(document.slice(0, -1).split('\n').filter(isWrong)).toEqual([])
    },
  )

  test.each([
    ['nothing', { files: ['a.yaml'], diagnostics: [] }],
    ['a diagnostic without a position', { files: ['a.yaml'], diagnostics: [aDiagnostic()] }],
    ['no files', { files: [], diagnostics: [aDiagnostic()] }],
  ])('is also a valid document for %s', (_what, findings) => {
    readers[format](render(findings, view))
  })
})
