import { parentPort } from 'node:worker_threads'
import { report, type Task } from './tasks.js'

// A thread of `npm run verify -- sim`. Performs one task after the other.
parentPort?.on('message', (task: Task) => {
  void report(task).then(done => parentPort?.postMessage(done))
})
