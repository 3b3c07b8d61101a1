import { operations } from '../../contract/operations.js'
import { type OperationName, type Parameter, responseFormats } from '../../contract/parameter.js'
import { includes } from '../../contract/versions.js'
import type { Result } from '../../result.js'
import { type Json, parseJson } from './json.js'
import type { FilePart, RequestPart, ServiceRequest } from './request.js'
import { anyText, type Check, choiceCheck, findFirstProblem, quoteName } from './shape.js'
import type { World } from './world.js'

/** The parameters of a request that passed every check of its operation. */
export interface Parameters {
  /** Texts as they were sent; JSON parameters are parsed. */
  readonly values: ReadonlyMap<string, Json>
  readonly files: ReadonlyMap<string, FilePart>
}

/** The rules of one operation that are not part of the contract. */
interface ParameterRules {
  readonly operation: OperationName
  readonly checks: Readonly<Record<string, Check>>
  /** Parameters that are required here, although the document does not require them. */
  readonly alsoRequired?: readonly string[]
  /** Parameters that the service accepts but the document does not name. */
  readonly alsoKnown?: readonly Parameter[]
}

/** The accepted formats; the document shows examples, but no closed list. Service §4.0. */
const formatChecks: Readonly<Record<World['fidelity'], Check>> = {
  document: anyText,
  field: choiceCheck(responseFormats),
}

/** Reads a request against the contract and the checks of its operation. Service §4. */
export function readParameters(
  { version, fidelity }: Pick<World, 'version' | 'fidelity'>,
  request: ServiceRequest,
  rules: ParameterRules,
): Result<Parameters, string> {
  const parts = request.method === 'GET' ? request.query : request.body.parts
  // A parameter newer than the emulated version is unknown to it. Service §9.
  const known: readonly Parameter[] = [
    ...operations[rules.operation].parameters,
    ...(rules.alsoKnown ?? []),
  ].filter(parameter => includes(version, parameter.since))
  const values = new Map<string, Json>()
  const files = new Map<string, FilePart>()
  const problem =
    checkEncoding(request, rules.operation) ??
    findFirstProblem(
      (function* () {
        for (const part of parts) yield () => readPart(part)
        for (const parameter of known) yield () => missing(parameter)
      })(),
    )
  return problem === undefined ? { ok: true, value: { values, files } } : { ok: false, error: problem }

  function readPart(part: RequestPart): string | undefined {
    const parameter = known.find(candidate => candidate.name === part.name)
    if (parameter === undefined) return `The parameter ${quoteName(part.name)} is unknown.`
    const { name } = parameter
    if (values.has(name) || files.has(name)) return `${name} was sent more than once.`
    if (parameter.encoding === 'file') {
      if (part.kind !== 'file' || part.bytes.length === 0) return `${name} must be a file that is not empty.`
      files.set(name, part)
      return undefined
    }
    if (part.kind === 'file') return `${name} must not be a file.`
    const value = parameter.encoding === 'json' ? parseJson(part.text) : part.text
    if (value === undefined) return `${name} must hold JSON of 8 MiB at most.`
    values.set(name, value)
    const check = name === 'f' ? formatChecks[fidelity] : findCheck(name)
    return check?.(value, name)
  }

  // Own names only: a name from an option may be one that every object inherits.
  function findCheck(name: string): Check | undefined {
    return Object.hasOwn(rules.checks, name) ? rules.checks[name] : undefined
  }

  function missing(parameter: Parameter): string | undefined {
    const { name } = parameter
    if (values.has(name) || files.has(name)) return undefined
    const required = parameter.required === 'yes' || rules.alsoRequired?.includes(name)
    return required ? `The parameter ${name} is missing.` : undefined
  }
}

// The root resource can also be read with POST, whose body is not documented: accepts a form or none.
function checkEncoding({ method, query, body }: ServiceRequest, operation: OperationName) {
  if (method === 'GET') return undefined
  if (body.encoding === 'unreadable') return body.problem
  if (query.length > 0) return 'Parameters belong in the body, not in the address.'
  const wanted: string = operations[operation].body
  // An empty body is a form without parameters.
  const fits = wanted === 'multipart' ? body.encoding === wanted : body.encoding !== 'multipart'
  return fits
    ? undefined
    : `The body must be ${wanted === 'multipart' ? 'multipart/form-data' : 'form-encoded'}.`
}

/** Requires the token with field fidelity: sites are reported to require it; the document only says that it is accepted. */
export function requireToken({ fidelity }: Pick<World, 'fidelity'>): readonly 'token'[] {
  return fidelity === 'field' ? ['token'] : []
}

/**
 * Checks the token of a request. Service §5.2.
 *
 * The document does not show what makes a token valid, so any text is valid unless options set the token.
 */
export function checkToken(world: World, { values }: Parameters): string | undefined {
  const accepted = world.token === undefined || values.get('token') === world.token
  return accepted ? undefined : 'The token is not valid.'
}
