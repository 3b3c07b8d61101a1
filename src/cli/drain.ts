/** Runs a stream to its end, hands each event on, and answers with what the stream returns. */
export async function drain<E, R>(stream: AsyncGenerator<E, R>, show: (event: E) => void): Promise<R> {
  for (;;) {
    const step = await stream.next()
    if (step.done === true) return step.value
    show(step.value)
  }
}
