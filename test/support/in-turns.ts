/** Processes the items, up to `atOnce` at a time. `turn` is the number of the concurrent worker. */
export async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, turn: number) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async (_: unknown, turn: number) => {
    for (const item of rest) await work(item, turn)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
