/** The secret questions; `securityQuestionIdx` is a position in this list, counted from 1. Service §2.9. */
export const secretQuestions = [
  'What city were you born in?',
  'What was your high school mascot?',
  "What is your mother's maiden name?",
  'What was the make of your first car?',
  'What high school did you go to?',
  'What is the last name of your best friend?',
  'What is the middle name of your youngest sibling?',
  'What is the name of the street on which you grew up?',
  'What is the name of your favorite fictional character?',
  'What is the name of your favorite pet?',
  'What is the name of your favorite restaurant?',
  'What is the title of your favorite book?',
  'What is your dream job?',
  'Where did you go on your first date?',
] as const

type SecretQuestion = (typeof secretQuestions)[number]

/** Finds the one-based index of a question, as it is sent. Service §2.9. */
export function findQuestionIndex(question: SecretQuestion): number {
  return secretQuestions.indexOf(question) + 1
}
