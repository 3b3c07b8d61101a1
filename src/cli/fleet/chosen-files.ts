import { type Candidate, expandFiles } from '../check/expand-files.js'

/** What a command about sites was asked to work on. */
export type Chosen =
  /** One file by its name: the command is about one site. */
  | { readonly kind: 'one'; readonly file: string }
  /** Several files, a folder or a pattern, however many files come of it. */
  | { readonly kind: 'many'; readonly candidates: readonly Candidate[]; readonly problem?: string }

/** The files that the words stand for; with `asMany` one file by its name is a fleet, too. */
export async function chosenFiles(words: readonly string[], asMany = false): Promise<Chosen> {
  const { candidates, problem } = await expandFiles(words)
  const [first] = candidates
  const isOne = words.length === 1 && problem === undefined && candidates.length === 1
  if (isOne && first?.how === 'named' && !asMany) return { kind: 'one', file: first.file }
  return { kind: 'many', candidates, ...(problem !== undefined && { problem }) }
}
