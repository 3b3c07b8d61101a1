import { createRunner } from 'jest-light-runner'
import Tinypool from 'tinypool'

/** By its file: an error that nothing awaited, which came while none of its tests ran. */
const lateErrors = new Map()

/*
 * The runner answers a worker that asks for its settings over one channel for all workers: whichever asks first, all get the
 * answer, and one that does not listen yet waits for ever (jest-light-runner 0.8.2; seen in 1 of 55 short runs). So each file
 * gets a channel of its own, which passes on to the shared one while nobody else is on it.
 */
const { run } = Tinypool.prototype
Tinypool.prototype.run = function (path, options) {
  if (options?.channel === undefined) return run.call(this, path, options)
  // Without a listener, a worker that is killed while it has nothing to do takes the whole run with it, and all its results.
  if (this.listenerCount('error') === 0)
    this.on('error', ({ message }) => {
      process.stderr.write(`\na worker that had no file to run: ${message}\n`)
    })
  return run.call(this, path, { ...options, channel: ownChannel(path, options.channel) })
}

function ownChannel(path, shared) {
  let answer
  return {
    onMessage(listener) {
      answer = listener
    },
    postMessage(message) {
      if (message?.lateError !== undefined) {
        lateErrors.set(path, message.lateError)
        return
      }
      shared.onMessage(answer)
      shared.postMessage(message)
    },
  }
}

/** Runs the files; one whose tests passed but that left an error behind has failed, by its name. */
export default class extends createRunner({ runtime: 'child_process' }) {
  async runTests(tests, watcher, onStart, onResult, onFailure) {
    await super.runTests(tests, watcher, onStart, onResult, onFailure)
    for (const test of tests) {
      const stack = lateErrors.get(test.path)
      if (stack === undefined) continue
      await onFailure(test, { message: 'an error came while none of its tests ran', stack })
    }
  }
}
