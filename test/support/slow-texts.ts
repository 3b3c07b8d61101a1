import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** Some of every kind that patterns tell apart. */
const characters = [...'a1A-_./: \\"#@=%{[s', '\r', '\n', '\u00e9', '\u2028', '\u0007']

/** What could follow, so that a pattern fails at the very end. */
const ends = ['', '\u0000', ' ', 'é']

/** Texts that make a careless pattern go back: each part of it, again and again, behind what leads there. */
export function slowTexts(pattern: RegExp, length: number): readonly string[] {
  const words = new Set(characters)
  const starts = new Set([''])
  visitRegExpAST(new RegExpParser().parseLiteral(pattern.toString()), {
    onAlternativeEnter({ elements }) {
      const parts = partsOf(elements, pattern.flags)
      for (let from = 0; from < parts.length; from += 1) {
        starts.add(parts.slice(0, from).join(''))
        for (let to = from + 1; to <= parts.length; to += 1) words.add(parts.slice(from, to).join(''))
      }
    },
  })
  return [...starts].flatMap(start =>
    [...words]
      .filter(word => word !== '')
      .flatMap(word =>
        ends.map(end => start + word.repeat(Math.ceil(length / word.length)).slice(0, length) + end),
      ),
  )
}

/** A sample for each element; a word of the pattern is one part. */
function partsOf(elements: readonly AST.Element[], flags: string): readonly string[] {
  const parts: string[] = []
  for (const [at, element] of elements.entries()) {
    const inWord = element.type === 'Character' && elements[at - 1]?.type === 'Character'
    parts.push((inWord ? (parts.pop() ?? '') : '') + sampleOf(element, flags))
  }
  return parts
}

/** A short text that an element takes. */
function sampleOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass': {
      const alone = new RegExp(`^(?:${element.raw})$`, flags.replaceAll(/[gmy]/g, ''))
      return characters.find(character => alone.test(character)) ?? ''
    }
    case 'Quantifier':
      return sampleOf(element.element, flags).repeat(Math.max(1, element.min))
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map(one => sampleOf(one, flags)).join('')
    default:
      return ''
  }
}
