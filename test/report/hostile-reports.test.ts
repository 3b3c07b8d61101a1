import { validationReports } from '../../src/cli/check/validation-reports.js'
import { plain } from '../../src/report/terminal.js'
import { aDiagnostic, aHostileDiagnostic } from '../support/a-diagnostic.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSarifErrors } from '../support/sarif-errors.js'
import { listSchemaErrors } from '../support/schema-errors.js'

type Format = keyof typeof validationReports

const view = { readLines: () => undefined, paint: plain, maxShown: 100 }
const runnerMarks = [
  ['a command of GitHub', '::add-mask::x'],
  ['an old command of GitHub', '##[error]x'],
  ['a command of Azure', '##vso[task.setvariable variable=PATH]x'],
  ['a message to TeamCity', "##teamcity[message text='x']"],
  ['a hash too many', '###[error]x'],
  ['markup', '<b>&"\']]></b><!--'],
  ['escaped line breaks', '%0A::error::x&#10;\\n\\u000a'],
] as const
const texts: readonly (readonly [string, string])[] = [...hostileTexts, ...runnerMarks]

/** What each line of a format begins with, apart from a space; nothing of it comes from a manifest. */
const beginnings: Readonly<Record<Format, RegExp>> = {
  // A place comes first here: the name of a file is not ours, so it may be anything but a command.
  text: /^(?!\s*::)/,
  json: /^ *("[a-z]+"(: |$)|[{}[\]])/i,
  sarif: /^ *("\$?[a-z/\d]+"(: |$)|[{}[\]])/i,
  github: /^::(error|warning|notice) /,
  gitlab: /^ *("[a-z_]+"(: |$)|[{}[\]])/,
}

/** Reads a document as its consumers do, and throws where they could not. */
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

/** What a reader shows of a document is no safer than the texts in it; only `json` keeps them as they are. */
function rawIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return unprintable.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(rawIn) : []
}

const formats = Object.keys(validationReports) as Format[]

describe.each(formats)('the format %s', format => {
  const render = validationReports[format]

  test.each(texts)('is one document whose lines are its own, with nothing raw: %s', (_what, hostile) => {
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
  })

  test.each([
    ['nothing', { files: ['a.yaml'], diagnostics: [] }],
    ['a finding without a place', { files: ['a.yaml'], diagnostics: [aDiagnostic()] }],
    ['no files', { files: [], diagnostics: [aDiagnostic()] }],
  ])('is a document also of %s', (_what, findings) => {
    readers[format](render(findings, view))
  })
})
