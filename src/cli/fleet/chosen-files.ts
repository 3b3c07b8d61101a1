import { type Candidate, expandFiles } from '../check/expand-files.js'

/** What a command about sites was asked to work on. */
export type Chosen =
  /** One file by its name: the command is about one site. */
  | { readonly kind: 'one'; readonly file: string }
  /** Several files, a folder or a pattern, however many files come of it. */
  | { readonly kind: 'many'; readonly candidates: readonly Candidate[]; readonly problem?: string }

/** The files that the words stand for; with `asMany` one file by its name is a fleet, too. */
export async function chosenFiles(words: readonly string[], asMany = false): Promise<Chosen> {
  const expanded = await expandFiles(words)
  const [first] = expanded.candidates
  const isOne = words.length === 1 && expanded.ok && expanded.candidates.length === 1
  if (isOne && first?.how === 'named' && !asMany) return { kind: 'one', file: first.file }
  const { candidates } = expanded
  return { kind: 'many', candidates, ...(!expanded.ok && { problem: expanded.problem }) }
}
