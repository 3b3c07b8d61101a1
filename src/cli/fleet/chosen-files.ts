import { parseWaves, type Reach } from '../../apply/fleet/waves.js'
import { type Candidate, expandFiles } from '../check/expand-files.js'
import { parseWhole } from '../emulator/emulator-options.js'
import { UsageError } from '../usage-error.js'

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

/** Reads `--concurrency`. */
export function parseConcurrency(text = '4'): number {
  return parseWhole('concurrency', text, { from: 1, to: 256 })
}

/** Reads `--waves`; without it all sites are one wave. */
export function parseWavesOption(text: string | undefined): readonly Reach[] {
  const reaches = text === undefined ? [] : parseWaves(text)
  if (reaches !== undefined) return reaches
  throw new UsageError(
    `--waves is a list such as 1,10%,100%, each further than the one before, not ${JSON.stringify(text)}`,
  )
}
