import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** More than any pattern that is linear takes for the texts that it is tried with. */
export const mostSteps = 100_000

type Next = (at: number) => boolean

const parsed = new Map<string, AST.Pattern>()
const known = new WeakMap<AST.Element, Map<string, boolean>>()
const expressions = new WeakMap<AST.Element, RegExp>()

/** Patterns are tried with texts by the thousand, and each part of one is compiled once. */
function compiled(element: AST.Element, compile: () => RegExp): RegExp {
  const expression = expressions.get(element) ?? compile()
  expressions.set(element, expression)
  return expression
}

/** How many steps a backtracking search takes; counting them is exact where time is not. `mostSteps` ends it. */
export function stepsOf(pattern: RegExp, text: string): number {
  let steps = 0
  const fits = (element: AST.Element, character: string | undefined): boolean => {
    if (character === undefined) return false
    const answers = known.get(element) ?? new Map<string, boolean>()
    const before = answers.get(character)
    if (before !== undefined) return before
    const alone = () => new RegExp(`^(?:${element.raw})$`, pattern.flags.replaceAll(/[gmy]/g, ''))
    const answer = compiled(element, alone).test(character)
    known.set(element, answers.set(character, answer))
    return answer
  }

  const any = (alternatives: readonly AST.Alternative[], at: number, next: Next) =>
    alternatives.some(({ elements }) => all(elements, at, next))

  const all = (elements: readonly AST.Element[], at: number, next: Next, from = 0): boolean => {
    const first = elements[from]
    return first === undefined ? next(at) : one(first, at, after => all(elements, after, next, from + 1))
  }

  const one = (element: AST.Element, at: number, next: Next): boolean => {
    steps += 1
    if (steps > mostSteps) return true
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return fits(element, text[at]) && next(at + 1)
      case 'Group':
      case 'CapturingGroup':
        return any(element.alternatives, at, next)
      case 'Quantifier':
        return repeated(element, at, { next, done: 0 })
      case 'Assertion':
        return holds(element, at) && next(at)
      default:
        throw new Error(`${element.type} is not counted`)
    }
  }

  const repeated = (
    quantifier: AST.Quantifier,
    at: number,
    { next, done }: { readonly next: Next; readonly done: number },
  ): boolean => {
    const more = () =>
      done < quantifier.max &&
      one(
        quantifier.element,
        at,
        after => after > at && repeated(quantifier, after, { next, done: done + 1 }),
      )
    const enough = () => done >= quantifier.min && next(at)
    return quantifier.greedy ? more() || enough() : enough() || more()
  }

  const holds = (assertion: AST.Assertion, at: number): boolean => {
    if (assertion.kind === 'lookahead')
      return any(assertion.alternatives, at, () => true) !== assertion.negate
    // Those in use look at one character.
    const sticky = compiled(
      assertion,
      () => new RegExp(assertion.raw, `${pattern.flags.replaceAll(/[gy]/g, '')}y`),
    )
    sticky.lastIndex = at
    return sticky.test(text)
  }

  const source = pattern.toString()
  const whole = parsed.get(source) ?? new RegExpParser().parseLiteral(source).pattern
  parsed.set(source, whole)
  for (let at = 0; at <= text.length && steps <= mostSteps; at += 1)
    if (any(whole.alternatives, at, () => true)) break
  return steps
}
