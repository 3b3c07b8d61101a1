import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Far more than the steps of any read: these wait in the same queue, so that what is not done after them waits itself. */
const stepsMeanwhile = 500

/**
 * Makes a pipe that nobody writes to, and gives what comes of reading it. Who waits for a writer is let go, for a process with
 * a thread that waits would never end.
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
