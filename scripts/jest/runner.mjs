import { createRunner } from 'jest-light-runner'
import Tinypool from 'tinypool'

/*
 * The runner answers a worker that asks for its settings over one channel for all workers: whichever asks first, all get the
 * answer, and one that does not listen yet waits for ever (jest-light-runner 0.8.2; seen in 1 of 55 short runs). So each file
 * gets a channel of its own, which passes on to the shared one while nobody else is on it.
 */
const { run } = Tinypool.prototype
Tinypool.prototype.run = function (task, options) {
  if (options?.channel === undefined) return run.call(this, task, options)
  return run.call(this, task, { ...options, channel: ownChannel(options.channel) })
}

function ownChannel(shared) {
  let answer
  return {
    onMessage(listener) {
      answer = listener
    },
    postMessage(message) {
      shared.onMessage(answer)
      shared.postMessage(message)
    },
  }
}

export default createRunner({ runtime: 'child_process' })
