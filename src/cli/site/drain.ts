/** Runs a stream to its end, hands each event on, and answers with what the stream returns. */
export async function drain<E, R>(stream: AsyncGenerator<E, R>, show: (event: E) => void): Promise<R> {
  try {
    for (;;) {
      const step = await stream.next()
      if (step.done === true) return step.value
      show(step.value)
    }
  } finally {
    // Where showing fails the stream still cleans up behind itself.
    await stream.return(undefined as never)
  }
}
