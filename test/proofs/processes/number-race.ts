import { type WriterKind, writerProcess } from './writer-process.js'

/** What was found where writers asked for the same numbers at once. */
export interface NumberRace {
  /** Numbers that one of them made, while the others were told that it is taken. */
  readonly won: number
  readonly violations: readonly string[]
}

/** A writer in each place; all ask for the same number at once, round for round. */
export async function numbersRaced(
  kind: WriterKind,
  places: readonly string[],
  rounds: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<NumberRace> {
  const writers = await Promise.all(places.map(place => writerProcess(kind, place, { environment })))
  const found: string[] = []
  for (let serial = 1; serial <= rounds; serial += 1) {
    const answers = await Promise.all(writers.map(writer => writer.ask(`${serial} ${serial}`)))
    const of = (word: string) => answers.filter(answer => answer === `${serial} ${word}`).length
    if (of('made') !== 1 || of('taken') !== writers.length - 1)
      found.push(`number ${serial}: ${answers.join(', ')}`)
  }
  for (const { child } of writers) child.kill()
  return { won: rounds - found.length, violations: found }
}
