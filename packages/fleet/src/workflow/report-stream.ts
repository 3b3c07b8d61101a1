import type { ApplyEvent } from 'landform'
import type { EventReceiver } from './run-reporter.js'

/** Runs a stream to its end, reports each event, and returns the result of the stream. */
export async function reportStream<R>(
  stream: AsyncGenerator<ApplyEvent, R>,
  receiver: EventReceiver,
): Promise<R> {
  try {
    for (;;) {
      const step = await stream.next()
      if (step.done === true) return step.value
      await receiver.report(step.value)
    }
  } finally {
    await stream.return(undefined as never)
  }
}
