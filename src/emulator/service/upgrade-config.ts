import {
  type AffinityKind,
  type matchExpressionFields,
  matchOperators,
  operatorsWithValues,
  tolerationEffects,
  type tolerationFields,
  tolerationOperators,
} from '../../contract/placement.js'
import { type Json, member } from './json.js'
import { all, anyText, arrayCheck, type Check, choiceCheck, record, text } from './shape.js'

const valuesWhereCompared: Check = (value, place) => {
  const operator = member(value, 'operator')
  const values = member(value, 'values')
  const compares = typeof operator === 'string' && operatorsWithValues.includes(operator)
  return compares && isEmpty(values)
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

const terms = record({
  nodeSelectorTerms: arrayCheck(record({ matchExpressions: arrayCheck(matchExpression) })),
})

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
export const upgradeConfig: Check = record({
  podPlacementPolicy: record({ nodeAffinity, tolerations: arrayCheck(toleration) }),
})

function isEmpty(value: Json | undefined): boolean {
  return !Array.isArray(value) || value.length === 0
}
