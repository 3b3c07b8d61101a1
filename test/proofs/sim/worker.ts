import { parentPort } from 'node:worker_threads'
import { report, type Task } from './tasks.js'

// One of the threads of `npm run verify -- sim`: does what it is told, one task after the other.
parentPort?.on('message', (task: Task) => {
  void report(task).then(done => parentPort?.postMessage(done))
})
