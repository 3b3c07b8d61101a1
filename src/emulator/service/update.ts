import type { ParameterName } from '../../contract/operations.js'
import {
  type AffinityKind,
  type matchExpressionFields,
  matchOperators,
  operatorsWithValues,
  tolerationEffects,
  type tolerationFields,
  tolerationOperators,
} from '../../contract/placement.js'
import { buildSuccess, rejectRequest } from './answers.js'
import { type EmulatorJsonObject, isObject, member } from './json.js'
import { checkToken, readParameters, requireToken } from './parameters.js'
import { all, anyText, arrayCheck, type Check, choiceCheck, record, text } from './shape.js'
import { isReady } from './site-state.js'
import type { Handler, World } from './world.js'

const valuesWhereCompared: Check = (value, place) => {
  const operator = member(value, 'operator')
  const values = member(value, 'values')
  const compares = typeof operator === 'string' && operatorsWithValues.includes(operator)
  return compares && !(Array.isArray(values) && values.length > 0)
    ? `${place}.values must not be empty with the operator ${operator}.`
    : undefined
}

const { values, ...alwaysThere } = {
  key: text,
  operator: choiceCheck(matchOperators),
  values: arrayCheck(anyText),
} satisfies Record<keyof typeof matchExpressionFields, Check>

// It is not documented whether Exists and DoesNotExist may have values; here they may.
const matchExpression = all(record(alwaysThere, { values }), valuesWhereCompared)

const term = record({ matchExpressions: arrayCheck(matchExpression) })
const terms = record({ nodeSelectorTerms: arrayCheck(term) })

const nodeAffinity = record({}, {
  requiredDuringSchedulingIgnoredDuringExecution: terms,
  preferredDuringSchedulingIgnoredDuringExecution: terms,
} satisfies Record<AffinityKind, Check>)

// It is not documented which fields may be absent; here all may.
const tolerationFieldsCheck = record({}, {
  effect: choiceCheck(tolerationEffects),
  key: anyText,
  operator: choiceCheck(tolerationOperators),
  value: anyText,
} satisfies Record<keyof typeof tolerationFields, Check>)

/** Checks that `Exists` has a key and no value. Service §4.4 rule 3. */
const valueWhereCompared: Check = (value, place) =>
  member(value, 'operator') === 'Exists' && member(value, 'value') !== undefined
    ? `${place}.value must be absent with the operator Exists.`
    : undefined

const toleration = all(tolerationFieldsCheck, valueWhereCompared)

/** The value of `upgradeConfig`; an empty `nodeAffinity` is a policy too. Service §2.7, §4.4. */
const upgradeConfig: Check = record({
  podPlacementPolicy: record({ nodeAffinity, tolerations: arrayCheck(toleration) }),
})

interface UpdateRules {
  readonly check: Check
  stored(world: World, sent: EmulatorJsonObject): EmulatorJsonObject
}

type Checks = Record<Exclude<ParameterName<'update'>, 'f'>, Check>

/** Replaces the placement policy of upgrade pods. Service §4.4. */
export const update: Handler = buildUpdate({ check: upgradeConfig, stored: (_world, sent) => sent })

/** Makes the operation from the check of an upgrade configuration and the way to store one. */
export function buildUpdate({ check, stored }: UpdateRules): Handler {
  const checks = { upgradeConfig: check, token: text } satisfies Checks
  return (world, request, now) => {
    const alsoRequired = ['upgradeConfig', ...requireToken(world)]
    const rules = { operation: 'update', checks, alsoRequired } as const
    const reading = readParameters(world, request, rules)
    if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
    const problem = checkToken(world, reading.value)
    if (problem !== undefined) return rejectRequest(world, request, { message: problem })
    if (!isReady(world, now)) return rejectRequest(world, request, { message: 'The site is not ready.' })
    const sent = reading.value.values.get('upgradeConfig')
    return [isObject(sent) ? { ...world, upgradeConfig: stored(world, sent) } : world, buildSuccess(request)]
  }
}
