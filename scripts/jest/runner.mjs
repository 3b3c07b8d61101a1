import { createRunner } from 'jest-light-runner'
import Tinypool from 'tinypool'

/*
 * jest-light-runner 0.8.2 has one channel for all workers: the settings for one worker are sent to all, and one that does not
 * listen yet waits forever, as seen in 1 of 55 short runs. A separate channel for each file prevents this.
 */
const { run } = Tinypool.prototype
Tinypool.prototype.run = function (path, options) {
  const shared = options?.channel
  if (shared === undefined) return run.call(this, path, options)
  let answer
  const channel = {
    onMessage(listener) {
      answer = listener
    },
    postMessage(message) {
      shared.onMessage(answer)
      shared.postMessage(message)
    },
  }
  return run.call(this, path, { ...options, channel })
}

/**
 * Runs each file in a process that loads a module once for all of its files. Jest itself loads all modules again for each file:
 * the unit tests then take 621 seconds of CPU time, and here 206.
 */
export default createRunner({ runtime: 'child_process' })
