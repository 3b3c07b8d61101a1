import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Far more steps than any read takes. They use the same queue, so a read that is not done after them is blocked. */
const stepsMeanwhile = 500

/**
 * Makes a pipe without a writer, and returns the result of reading it. If the read blocks, opens the pipe for writing, since a
 * process with a blocked thread would never end.
 */
export async function readingPipe<T>(
  pipe: string,
  read: () => Promise<T>,
): Promise<T | 'waits for a writer'> {
  const made = spawnSync('mkfifo', [pipe])
  if (made.status !== 0) throw new Error(`no pipe can be made: ${made.stderr}`)
  let isDone = false
  const reading = read().finally(() => {
    isDone = true
  })
  for (let step = 0; step < stepsMeanwhile && !isDone; step += 1) await stat('.')
  if (isDone) return reading
  closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
  await reading
  return 'waits for a writer'
}
