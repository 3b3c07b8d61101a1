import { questionIndex, secretQuestions } from '../../contract/questions.js'
import type { JsonObject, JsonValue } from '../../schema/json-schema.js'

/** A secret question named by its number, as it is sent, where it is named by its text. Service §2.9. */
export function askedByIndex({ question, ...others }: JsonObject): JsonObject {
  const known = secretQuestions.find(text => text === question)
  if (known !== undefined) return { index: questionIndex(known), ...others }
  return question === undefined ? others : { question, ...others }
}

/** A secret question named in the way another one is, so that only a different question shows as a difference. */
export function askedLike(one: JsonObject, other: JsonValue): JsonObject {
  const byIndex = askedByIndex(one)
  const { index, ...others } = byIndex
  const text = typeof index === 'number' ? secretQuestions[index - 1] : undefined
  const namesText = typeof other === 'object' && other !== null && 'question' in other
  return namesText && text !== undefined ? { question: text, ...others } : byIndex
}
