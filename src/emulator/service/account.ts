import { limits, passwordNeeds } from '../../contract/limits.js'
import { secretQuestions } from '../../contract/questions.js'
import type { Check } from './shape.js'

/**
 * At least six characters, letters, digits and some symbols. Service §4.3, §8.
 *
 * The symbols are not documented, so all are accepted except white space and control characters.
 */
export const username: Check = (value, place) => {
  if (typeof value !== 'string' || countCharacters(value) < limits.usernameCharacters)
    return `${place} must have at least ${limits.usernameCharacters} characters.`
  return /[\s\p{Z}\p{Cc}\p{Cf}]/u.test(value)
    ? `${place} must have no white space and no control characters.`
    : undefined
}

/** At least eight characters, one of them a letter and one a digit. Service §4.3, §8. */
export const password: Check = (value, place) => {
  if (typeof value !== 'string' || countCharacters(value) < limits.passwordCharacters)
    return `${place} must have at least ${limits.passwordCharacters} characters.`
  if (!passwordNeeds.letter.test(value)) return `${place} must contain a letter.`
  return passwordNeeds.digit.test(value) ? undefined : `${place} must contain a digit.`
}

/** An e-mail address. The accepted forms are not documented; one without an @ is rejected. Service §4.3. */
export const email: Check = (value, place) =>
  typeof value === 'string' && value.includes('@') ? undefined : `${place} must be an e-mail address.`

/** The position of a secret question, counted from 1. Service §2.9. */
export const questionIndex: Check = (value, place) =>
  typeof value === 'string' && /^[1-9]\d?$/.test(value) && Number(value) <= secretQuestions.length
    ? undefined
    : `${place} must be an integer from 1 to ${secretQuestions.length}.`

function countCharacters(text: string): number {
  return [...text].length
}
