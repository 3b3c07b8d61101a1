import { findQuestionIndex, secretQuestions } from '../../contract/questions.js'
import type { JsonObject, JsonValue } from '../../schema/json-schema.js'

/** Replaces the text of a known secret question by its number, as it is sent. Service §2.9. */
export function withQuestionByIndex({ question, ...others }: JsonObject): JsonObject {
  const known = secretQuestions.find(text => text === question)
  if (known !== undefined) return { index: findQuestionIndex(known), ...others }
  return question === undefined ? others : { question, ...others }
}

/** Names a secret question by text or number as another one does, so that only a different question is a difference. */
export function withQuestionOf(one: JsonObject, other: JsonValue): JsonObject {
  const byIndex = withQuestionByIndex(one)
  const { index, ...others } = byIndex
  const text = typeof index === 'number' ? secretQuestions[index - 1] : undefined
  const namesText = typeof other === 'object' && other !== null && 'question' in other
  return namesText && text !== undefined ? { question: text, ...others } : byIndex
}
