import { logLevelField, profileField } from '../../src/contract/field-row.js'
import {
  affinityKinds,
  matchExpressionFields,
  matchOperators,
  operatorsWithValues,
  policyFields,
  tolerationEffects,
  tolerationFields,
  tolerationOperators,
} from '../../src/contract/placement.js'
import { architectureProfiles, defaultProfile, profileNames } from '../../src/contract/profiles.js'
import { findQuestionIndex, secretQuestions } from '../../src/contract/questions.js'

describe('the other structures, §2.7', () => {
  test('have one field for a profile object and one for a log settings object', () => {
    expect(profileField).toBe('name')
    expect(logLevelField).toBe('logLevel')
  })

  test('have a placement policy of node affinity and tolerations', () => {
    expect(Object.keys(policyFields)).toEqual(['podPlacementPolicy', 'nodeAffinity', 'tolerations'])
  })

  test('have two kinds of node affinity', () => {
    expect(Object.keys(affinityKinds)).toEqual([
      'requiredDuringSchedulingIgnoredDuringExecution',
      'preferredDuringSchedulingIgnoredDuringExecution',
    ])
  })

  test('have match expressions of key, operator and values', () => {
    expect(Object.keys(matchExpressionFields)).toEqual(['key', 'operator', 'values'])
    expect(matchOperators).toEqual(['In', 'NotIn', 'Exists', 'DoesNotExist'])
    expect(operatorsWithValues).toEqual(['In', 'NotIn'])
  })

  test('have tolerations of effect, key, operator and value', () => {
    expect(Object.keys(tolerationFields)).toEqual(['effect', 'key', 'operator', 'value'])
    expect(tolerationEffects).toEqual(['NoExecute', 'NoSchedule', 'PreferNoSchedule'])
    expect(tolerationOperators).toEqual(['Exists', 'Equal'])
  })
})

describe('the secret questions, §2.9', () => {
  const questions = [
    [1, 'What city were you born in?'],
    [2, 'What was your high school mascot?'],
    [3, "What is your mother's maiden name?"],
    [4, 'What was the make of your first car?'],
    [5, 'What high school did you go to?'],
    [6, 'What is the last name of your best friend?'],
    [7, 'What is the middle name of your youngest sibling?'],
    [8, 'What is the name of the street on which you grew up?'],
    [9, 'What is the name of your favorite fictional character?'],
    [10, 'What is the name of your favorite pet?'],
    [11, 'What is the name of your favorite restaurant?'],
    [12, 'What is the title of your favorite book?'],
    [13, 'What is your dream job?'],
    [14, 'Where did you go on your first date?'],
  ] as const

  test('are fourteen', () => {
    expect(secretQuestions).toHaveLength(14)
  })

  test.each(questions)('have at position %i: %s', (position, question) => {
    expect(secretQuestions[position - 1]).toBe(question)
    expect(findQuestionIndex(question)).toBe(position)
  })
})

describe('the architecture profiles, §2.10', () => {
  test('are three, in the order of the document', () => {
    expect(profileNames).toEqual(['enhanced-availability', 'standard-availability', 'development'])
  })

  test('have standard availability as the default', () => {
    expect(defaultProfile).toBe('standard-availability')
  })

  test.each([
    ['enhanced-availability', /highest availability/, /[Mm]ost hardware/],
    ['standard-availability', /[Pp]roduction/, /moderate hardware/],
    ['development', /unsupported for production/, /least hardware/],
  ] as const)('describe the use and the cost of %s', (name, use, hardware) => {
    expect(architectureProfiles[name].use).toMatch(use)
    expect(architectureProfiles[name].hardware).toMatch(hardware)
  })
})
