import { existsSync, readFileSync } from 'node:fs'
import { parse as parseHtml } from 'parse5'
import { parse as parseYaml } from 'yaml'
import type { CommandEntry } from '../../src/cli/command.js'
import { parsedXml } from './parsed-xml.js'
import { listSarifErrors } from './sarif-errors.js'
import { listSchemaErrors } from './schema-errors.js'

/** Reads a whole report as those do who it is for; throws where they could not. What JSON says comes back. */
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

/** Where each report of one run goes: to stdout, or to a file. */
export type Forms = readonly (readonly [format: string, place: string])[]

export const stdout = 'stdout'
export const earlier = 'of an earlier run'

/**
 * The ways to have every report of a command at once: each on stdout with the others in files of `folder`, and all in
 * files. A command that has one report a run has it on stdout, and one without has none. With `into` the ways to have
 * each there, and another in a file.
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

/** Schemas of JSON documents that are not called like their command; `undefined` is a manifest itself. */
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

/** How a run ended, with what it put on stdout. */
export interface Ended {
  readonly exitCode: number
  readonly out: string
}

/**
 * Makes sure that each report is whole, or not there where the run failed and it is for people, and that what JSON says
 * fits its schema. Returns that.
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
