import {
  configureSwitches,
  deploymentValues,
  valueHeadings,
  valueProperties,
  versionProperty,
} from '../contract/configure-properties.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import { decodeText, type Source } from '../manifest/source.js'
import { parseYaml, type YamlDocument } from '../manifest/yaml-document.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../schema/pointer.js'
import { listNames, readValue } from '../schema/select.js'
import { type Property, type PropertyFile, readProperties, rejectFile } from './read-properties.js'

/**
 * Reads property files of the vendor's script, values of its Helm chart, and variables of its Terraform module in JSON. If
 * several files have a property, the last one counts, as in the chart; but each version that a file names is kept.
 */
export function readAnswers(sources: readonly Source[]): PropertyFile {
  const files = sources.map(readOne)
  const properties = files.flatMap(file => file.properties)
  return {
    properties: [
      ...new Map(properties.map(one => [one.name === versionProperty ? one : one.name, one])).values(),
    ],
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** Detects the format from the first line with content: standard input has no name, and the chart accepts any file name. */
function readOne(source: Source): PropertyFile {
  const lines = decodeText(source)?.split(/\r?\n/) ?? []
  const first = lines.find(line => !/^\s*(?:#|\/\/|$)/.test(line)) ?? ''
  if (/^[a-z]\w*[ \t]+=[ \t]/.test(first) || source.name.endsWith('.tfvars'))
    return rejectFile(source, diagnose('properties/hcl', '', {}))
  const isValues = /^\s*(?:[{[]|---|["']?[\w. -]+["']?[ \t]*:(?:\s|$))/.test(first)
  return isValues ? readValues(source) : readProperties(source)
}

/**
 * Reads the values of the vendor's Helm chart, or the variables of its Terraform module in JSON, and converts them to
 * the properties that the chart derives from them. No diagnostic quotes a value, because some are secrets.
 */
function readValues(source: Source): PropertyFile {
  const { document, diagnostics } = parseYaml(source)
  if (document === undefined || diagnostics.length > 0) return { properties: [], diagnostics }
  const isResource = ['apiVersion', 'kind'].every(key => listNames(document.value).includes(key))
  const [values] = (isResource ? wrappedValues : ['' as const]).flatMap(pointer => {
    const members = readValue(document.value, pointer)
    return isObject(members) ? [{ pointer, members }] : []
  })
  if (values === undefined) {
    const problem = isResource ? diagnose('properties/resource', '', {}) : diagnoseForm('', 'a map')
    return { properties: [], diagnostics: [{ ...problem, place: document.place('', 'value') }] }
  }
  if (isTerraformOutput(values.members)) {
    const problem = diagnoseForm('', 'unwrapped')
    return { properties: [], diagnostics: [{ ...problem, place: document.place('', 'value') }] }
  }
  const found = [...readMap(values.members, { path: '', pointer: values.pointer, document })]
  return {
    properties: found.flatMap(one => ('name' in one ? [one] : [])),
    diagnostics: found.flatMap(one => ('name' in one ? [] : [one])),
  }
}

/** The paths of chart values in a resource of Flux, and in one of Argo CD. */
const wrappedValues: readonly JsonPointer[] = ['/spec/values', '/spec/source/helm/valuesObject']

/** Tests for the output of `terraform output -json`, where each value is in a map with its type. */
function isTerraformOutput(members: JsonObject): boolean {
  const outputs = Object.values(members)
  return outputs.length > 0 && outputs.every(one => isObject(one) && 'value' in one && 'type' in one)
}

interface Level {
  /** Ends with a dot, unless it is empty. */
  readonly path: string
  readonly pointer: JsonPointer
  /** True if unknown values of this map are about the deployment. */
  readonly isDeployment?: boolean
  readonly document: YamlDocument
}

/** Walks as deep as the known paths; an unknown subtree is reported once. */
function* readMap(members: JsonObject, level: Level): Generator<Property | Diagnostic> {
  for (const [key, value] of Object.entries(members)) {
    const written = `${level.path}${key}`
    const pointer = appendSegment(level.pointer, key)
    const place = level.document.place(pointer, 'key')
    const tell = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, place })
    const name = valueProperties.get(written)
    const isEmpty = value === null || value === ''
    const aboutDeployment = {
      name: written,
      written,
      value: isEmpty ? '' : undefined,
      place,
      isDeployment: true,
    }
    // The notation of the file, because 12.0 and 12 are different versions.
    const numeral = typeof value === 'number' ? level.document.numeral(pointer) : undefined
    if (name !== undefined) {
      if (typeof value === 'object' && value !== null) yield tell(diagnoseForm(written, 'a single value'))
      else yield { name, written, value: numeral ?? String(value ?? ''), place }
    } else if (configureSwitches.includes(written)) {
      if (value === true)
        yield tell(diagnose('properties/left-out', '', { names: [written], because: 'chart-configures' }))
    } else if (deploymentValues.includes(written) && isObject(value)) {
      yield* readMap(value, { ...level, path: `${written}.`, pointer, isDeployment: true })
    } else if (deploymentValues.includes(written)) {
      yield aboutDeployment
    } else if (known.some(one => one.startsWith(`${written}.`))) {
      if (isObject(value)) yield* readMap(value, { ...level, path: `${written}.`, pointer })
      else if (!isEmpty) yield tell(diagnoseForm(written, 'a map'))
    } else if (!valueHeadings.includes(written) || !isEmpty) {
      const beside = known.flatMap(one => (one.startsWith(level.path) ? one.slice(level.path.length) : []))
      const similar = findSimilar(key, beside)
      const suggestion = similar && `${level.path}${similar}`
      if (level.isDeployment === true && similar === undefined) yield aboutDeployment
      else yield tell(diagnose('properties/unknown', '', { name: written, suggestion }))
    }
  }
}

const known = [...valueProperties.keys(), ...configureSwitches, ...deploymentValues]

function diagnoseForm(name: string, form: 'a map' | 'a single value' | 'unwrapped'): Diagnostic {
  return diagnose('properties/form', '', { name, form })
}
