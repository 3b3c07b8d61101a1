import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { buildCodeQualityReport, formatGithubCommands } from '../../src/report/findings-ci.js'
import { escapeXml } from '../../src/report/test-results.js'
import { aDiagnostic, aPlace } from '../support/a-diagnostic.js'
import { parsedXml } from '../support/parsed-xml.js'

const markup = `a < b & "c" > 'd' ]]> <!-- &amp; &#10;`
const error = aDiagnostic({ place: aPlace(), message: markup, help: 'add it' })
const warning = aDiagnostic({ place: aPlace(), code: 'site/url', severity: 'warning', pointer: '/spec/site' })
const findings = { files: ['site.yaml', 'good.yaml'], diagnostics: [warning, error, error] }
const said = `${markup}; help: add it`

test('XML holds none of the characters that it cannot hold', () => {
  const codes = [...Array(0x20).keys(), 0x7f, 0xd800, 0xdfff, 0xfffe, 0xffff]
  const text = codes.map(code => String.fromCharCode(code)).join('')
  expect(parsedXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`).text).toContain('\\x1f')
})

test('a Code Quality report says what, how bad, where, and which', () => {
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

  test('say what and where, errors first', () => {
    expect(commands([warning, aDiagnostic({ place: aPlace(), help: 'add it' })])).toBe(
      '::error file=site.yaml,line=2,endLine=2,col=3,endColumn=9,title=volume/missing-component::one is missing; help: add it\n' +
        '::warning file=site.yaml,line=2,endLine=2,col=3,endColumn=9,title=site/url::one is missing\n',
    )
  })

  test('have columns only for a range within a line', () => {
    const place = aPlace({ end: { line: 4, column: 1 } })
    expect(commands([aDiagnostic({ place })])).toMatch(/^::error file=site\.yaml,line=2,endLine=4,title=/)
  })

  test('escape what would end a property or a line', () => {
    const place = aPlace({ file: 'a,b:c%0A::d.yaml' })
    const [line] = commands([aDiagnostic({ place, message: '100%, a::b %0A::error::x' })]).split('\n')
    expect(line).toContain('file=a%2Cb%3Ac%250A%3A%3Ad.yaml,line=2')
    expect(line).toMatch(/::100%25, a::b %250A::error::x$/)
  })

  test('are as many as asked for, and the rest is counted', () => {
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

  test('are none where nothing was found', () => {
    expect(commands([])).toBe('')
  })
})
