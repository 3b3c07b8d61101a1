import { existsSync, readFileSync } from 'node:fs'
import type { CommandEntry } from '../../src/cli/command.js'
import { readReport } from './report-forms.js'
import { listSchemaErrors } from './schema-errors.js'

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
