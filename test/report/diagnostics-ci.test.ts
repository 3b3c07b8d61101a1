import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { formatCheckstyle } from '../../src/report/findings/diagnostics-checkstyle.js'
import { formatGithubCommands } from '../../src/report/findings/diagnostics-github.js'
import { buildCodeQualityReport } from '../../src/report/findings/diagnostics-gitlab.js'
import { formatJunit } from '../../src/report/findings/diagnostics-junit.js'
import { escapeXml } from '../../src/report/findings/xml.js'
import { aDiagnostic, aPlace } from '../support/a-diagnostic.js'
import { parsedXml } from '../support/parsed-xml.js'

const markup = `a < b & "c" > 'd' ]]> <!-- &amp; &#10;`
const error = aDiagnostic({ place: aPlace(), message: markup, help: 'add it' })
const warning = aDiagnostic({ place: aPlace(), code: 'site/url', severity: 'warning', pointer: '/spec/site' })
const findings = { files: ['site.yaml', 'good.yaml'], diagnostics: [warning, error, error] }
const said = `${markup}; help: add it`

describe('a JUnit report', () => {
  const root = parsedXml(formatJunit(findings))
  const [bad, good] = root.children

  test('has a suite for each file, and counts', () => {
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: { name: 'landform', tests: '4', failures: '2', errors: '0' },
    })
    expect(bad).toMatchObject({
      name: 'testsuite',
      attributes: { name: 'site.yaml', tests: '3', failures: '2', errors: '0', skipped: '0' },
    })
    expect(good).toMatchObject({ attributes: { name: 'good.yaml', tests: '1', failures: '0' } })
  })

  test('fails a test for an error, and passes one for a warning', () => {
    expect(bad?.children.map(({ children }) => children[0])).toMatchObject([
      { name: 'system-out', attributes: {}, text: 'site.yaml:2:3: one is missing' },
      {
        name: 'failure',
        attributes: { message: said, type: 'volume/missing-component' },
        text: `site.yaml:2:3: ${said}`,
      },
      { name: 'failure' },
    ])
  })

  test('names no test twice and no test by its line', () => {
    expect(bad?.children.map(({ attributes }) => attributes)).toEqual([
      { classname: 'site.yaml', name: 'site/url /spec/site' },
      { classname: 'site.yaml', name: 'volume/missing-component /spec/volumes' },
      { classname: 'site.yaml', name: 'volume/missing-component /spec/volumes (2)' },
    ])
    const [suite] = parsedXml(
      formatJunit({ files: ['a'], diagnostics: [aDiagnostic({ pointer: '' })] }),
    ).children
    expect(suite?.children[0]?.attributes['name']).toBe('volume/missing-component')
  })

  test('has a passed test for a file without findings', () => {
    expect(good?.children).toEqual([
      {
        name: 'testcase',
        attributes: { name: 'no findings', classname: 'good.yaml' },
        children: [],
        text: '',
      },
    ])
  })
})

test('a Checkstyle report has a file for each file, and an error for each finding', () => {
  const { name, attributes, children } = parsedXml(formatCheckstyle(findings))
  expect({ name, attributes }).toEqual({ name: 'checkstyle', attributes: { version: '4.3' } })
  expect(children.map(file => [file.name, file.attributes])).toEqual([
    ['file', { name: 'site.yaml' }],
    ['file', { name: 'good.yaml' }],
  ])
  const of = { line: '2', column: '3' }
  expect(children[0]?.children.map(({ attributes }) => attributes)).toEqual([
    { ...of, severity: 'warning', message: 'one is missing', source: 'site/url' },
    { ...of, severity: 'error', message: said, source: 'volume/missing-component' },
    { ...of, severity: 'error', message: said, source: 'volume/missing-component' },
  ])
  expect(children[1]?.children).toEqual([])
})

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
