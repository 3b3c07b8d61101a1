/**
 * A text as numbers, one for each character that is left of it: without case, width, accents, and all that nobody sees.
 * Texts that differ in nothing else are equal. Never a string, for it may be a secret.
 */
export interface Folded {
  readonly codes: Uint32Array
  /** The range of bytes of each character. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

/** A text folded twice: to all that shows, and to letters and digits alone, so that separators count for nothing. */
export type Views = readonly [visible: Folded, letters: Folded]

/** Folds UTF-8. What is no UTF-8 is left out. */
export function fold(bytes: Uint8Array): Views {
  const [visible, letters] = [column(bytes.length), column(bytes.length)]
  for (let at = 0; at < bytes.length; ) {
    const start = at
    let code = bytes[at] as number
    at += 1
    if (code < 0x80) {
      const shown = asciiVisible[code] as number
      if (shown !== 0) visible.add(shown, start, at)
      const letter = asciiLetters[code] as number
      if (letter !== 0) letters.add(letter, start, at)
      continue
    }
    const more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : code >= 0xc0 ? 1 : 0
    code = more === 0 ? noCharacter : code & (0x3f >> more)
    for (let rest = more; rest > 0; rest -= 1) {
      const next = bytes[at] as number
      if ((next & 0xc0) !== 0x80) {
        code = noCharacter
        break
      }
      code = (code << 6) | (next & 0x3f)
      at += 1
    }
    const folded = foldCharacter(code)
    for (const one of folded.visible) visible.add(one, start, at)
    for (const one of folded.letters) letters.add(one, start, at)
  }
  return [visible.done(), letters.done()]
}

/** Overwrites what was folded. */
export function wipeFolded(views: Views): void {
  for (const { codes } of views) codes.fill(0)
}

/** Numbers with their places, which grow where a character becomes several. */
function column(length: number) {
  let rows = new Uint32Array(3 * (length + 18))
  let count = 0
  return {
    add(code: number, start: number, end: number) {
      if (count * 3 === rows.length) {
        const more = new Uint32Array(rows.length * 2)
        more.set(rows)
        rows.fill(0)
        rows = more
      }
      rows[count * 3] = code
      rows[count * 3 + 1] = start
      rows[count * 3 + 2] = end
      count += 1
    },
    done(): Folded {
      const [codes, starts, ends] = [0, 1, 2].map(of => {
        const values = new Uint32Array(count)
        for (let at = 0; at < count; at += 1) values[at] = rows[at * 3 + of] as number
        return values
      }) as [Uint32Array, Uint32Array, Uint32Array]
      rows.fill(0)
      return { codes, starts, ends }
    },
  }
}

const noCharacter = 0xfffd
/** In a form, `+` means a space, and U+2800 is displayed as one. */
const unseen = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}+\ufffd\u2800]/u
/** None of them is unseen, which is asked of the others alone: making that pattern takes more than a millisecond. */
const letter = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u

interface Character {
  readonly visible: readonly number[]
  readonly letters: readonly number[]
}

function foldAgain(code: number): Character {
  // Half of a pair is one that nobody sees, too.
  const character = String.fromCodePoint(code > 0x10ffff ? noCharacter : code)
  const folded = character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD')
  const letters = [...folded].filter(one => letter.test(one))
  const visible = [...folded].filter(one => letters.includes(one) || !unseen.test(one))
  const numbers = (characters: readonly string[]) => characters.map(one => one.codePointAt(0) as number)
  return { visible: numbers(visible), letters: numbers(letters) }
}

const maxKept = 20_000
/** Most of what is decoded was never encoded, and is no UTF-8. */
const known = new Map<number, Character>([[noCharacter, { visible: [], letters: [] }]])

/** The folded forms of a character, computed once: one character alone reveals nothing. */
function foldCharacter(code: number): Character {
  const before = known.get(code)
  if (before !== undefined) return before
  const now = foldAgain(code)
  if (known.size < maxKept) known.set(code, now)
  return now
}

// ASCII is folded by hand, since every start waits for it: capitals change, and control characters, the space and `+` are unseen.
const asciiVisible = Uint32Array.from({ length: 128 }, (_, code) => {
  if (code <= 0x20 || code === 0x2b || code === 0x7f) return 0
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
})
const asciiLetters = asciiVisible.map(code =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) ? code : 0,
)
