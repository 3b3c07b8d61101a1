import { existsSync, readFileSync } from 'node:fs'
import { parse as parseHtml } from 'parse5'
import { parse as parseYaml } from 'yaml'
import type { CommandEntry } from '../../src/cli/command.js'
import { parsedXml } from './parsed-xml.js'
import { listSarifErrors } from './sarif-errors.js'
import { listSchemaErrors } from './schema-errors.js'

/** Reads a complete report as its consumer does. Returns the value of JSON. Throws if the report is malformed. */
export function readReport(format: string, text: string): unknown {
  switch (format) {
    case 'json':
    case 'gitlab':
      if (!text.endsWith('\n')) throw new Error('no line break at the end')
      return JSON.parse(text)
    case 'sarif': {
      const complaints = listSarifErrors(JSON.parse(text))
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      return undefined
    }
    case 'junit':
      parsedXml(text)
      return undefined
    case 'github':
      for (const line of text.split('\n').slice(0, -1))
        if (!/^::(?:error|warning|notice) .*::/.test(line)) throw new Error(`no command: ${line}`)
      return undefined
    case 'yaml':
      parseYaml(text)
      return undefined
    case 'html': {
      const problems: string[] = []
      parseHtml(text, { onParseError: ({ code }) => problems.push(code) })
      if (problems.length > 0) throw new Error(problems.join('\n'))
      return undefined
    }
    case 'text':
    case 'markdown':
      if (text.trim() === '' || /^\s*[{[]/.test(text)) throw new Error(`not for people: ${text.slice(0, 80)}`)
      return undefined
    default:
      throw new Error(`say in test/support/command-forms.ts how ${format} is read`)
  }
}

/** The destination of each report of one run: stdout or a file. */
export type Forms = readonly (readonly [format: string, place: string])[]

export const stdout = 'stdout'
export const earlier = 'of an earlier run'

/**
 * Lists the ways to get every report of a command: each on stdout with the others in files of `folder`, and all in files. A
 * command with a single report has it on stdout only; some have none. With `into`, lists the ways to send each report there,
 * with another in a file.
 */
export function waysToReport({ options }: CommandEntry, folder: string, into?: string): readonly Forms[] {
  const { suggests = [], choices } = (options['format'] ?? {}) as {
    readonly suggests?: readonly string[]
    readonly choices?: readonly string[]
  }
  const inFiles: Forms = suggests.map(format => [format, `${folder}/report.${format}`])
  if (into !== undefined)
    return suggests.map((format, at) => [
      [format, into],
      ...inFiles.filter((_, one) => one === (at + 1) % suggests.length),
    ])
  if (choices !== undefined) return choices.map(format => [[format, stdout]])
  return [...suggests.map((format, at) => inFiles.with(at, [format, stdout])), inFiles]
}

export function formatOptions(forms: Forms): readonly string[] {
  return forms.flatMap(([format, place]) => ['--format', place === stdout ? format : `${format}=${place}`])
}

/** Schemas of JSON documents that are not named like their command; `undefined` stands for a manifest. */
const schemas: Readonly<Record<string, string | undefined>> = {
  validate: 'validation',
  show: 'plan',
  apply: 'receipt',
  'export-site': 'export',
  'webhooks delete-all': 'webhooks',
  render: undefined,
  'state show': 'history',
  test: 'test-report',
}

/** The result of a run. */
export interface Ended {
  readonly exitCode: number
  readonly out: string
}

/**
 * Expects each report to be complete, and a JSON report to match its schema. A failed run may lack the reports for people.
 * Returns the JSON document, or the error in it.
 */
export function expectWhole(
  { name }: CommandEntry,
  forms: Forms,
  { exitCode, out }: Ended,
): object | undefined {
  const own = name in schemas ? schemas[name] : name
  let told: object | undefined
  for (const [format, place] of forms) {
    const text = place === stdout ? out : existsSync(place) ? readFileSync(place, 'utf8') : ''
    expect([format, text]).not.toEqual([format, earlier])
    if (text === '' && exitCode !== 0) {
      expect(own === undefined ? '' : format).not.toBe('json')
      continue
    }
    const document = readReport(format, text) as { readonly error?: object }
    if (format !== 'json') continue
    const { error } = document
    const schema = error === undefined ? own : 'failure'
    if (schema !== undefined) expect(listSchemaErrors(schema, document)).toEqual([])
    told = error ?? document
  }
  return told
}
