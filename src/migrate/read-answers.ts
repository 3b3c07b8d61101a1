import { diagnose } from '../diagnostics/diagnostic.js'
import { decodeText, type Source } from '../manifest/source.js'
import { type PropertyFile, readProperties, rejectFile } from './read-properties.js'
import { readValues } from './read-values.js'

/**
 * Reads property files of the vendor's script, values of its Helm chart, and variables of its Terraform module in JSON. Of a
 * property that several files have, the last one counts, as in the chart.
 */
export function readAnswers(sources: readonly Source[]): PropertyFile {
  const files = sources.map(readOne)
  const properties = files.flatMap(file => file.properties)
  return {
    properties: [...new Map(properties.map(one => [one.name, one])).values()],
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Chooses by the first line with content, because standard input has no name, and the chart accepts any. */
function readOne(source: Source): PropertyFile {
  const lines = decodeText(source)?.split(/\r?\n/) ?? []
  const first = lines.find(line => !/^\s*(?:#|\/\/|$)/.test(line)) ?? ''
  if (/^[a-z]\w*[ \t]+=[ \t]/.test(first) || source.name.endsWith('.tfvars'))
    return rejectFile(source, diagnose('properties/hcl', '', {}))
  const isValues = /^\s*(?:[{[]|---|["']?[\w. -]+["']?[ \t]*:(?:\s|$))/.test(first)
  return isValues ? readValues(source) : readProperties(source)
}
