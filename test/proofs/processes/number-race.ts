import { type WriterKind, writerProcess } from './writer-process.js'

export interface NumberRace {
  /** The number of versions that exactly one writer created, while all others found them taken. */
  readonly won: number
  readonly violations: readonly string[]
}

/** Starts a writer in each place. In each round, all try to create the same version at once. */
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
      found.push(`I4: number ${serial}: ${answers.join(', ')}`)
  }
  for (const { child } of writers) child.kill()
  return { won: rounds - found.length, violations: found }
}
