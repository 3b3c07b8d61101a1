import { type CST, Lexer, Parser } from 'yaml'
import { yamlLimits } from './yaml-limits.js'

/** Splits a text into tokens; returns the offset of the first token over the limit if there are too many. */
export function tokenize(text: string): CST.Token[] | number {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let left: number = yamlLimits.tokens
  for (const lexeme of new Lexer().lex(text)) {
    left -= 1
    if (left < 0) return parser.offset
    tokens.push(...parser.next(lexeme))
  }
  tokens.push(...parser.end())
  return tokens
}
