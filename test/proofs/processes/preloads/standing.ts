// Preloaded. With `UV_THREADPOOL_SIZE=1`, a single thread performs all file operations. Before the process first reads its
// state folder, it writes the id of that thread to descriptor 3, and waits for a byte on descriptor 4.
import { promises, readdirSync, readSync, stat, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const threads = () => readdirSync('/proc/self/task')

const before = threads()
// The first asynchronous call creates the thread.
stat('/', () => undefined)
const thread = threads().find(one => !before.includes(one))

const look = promises.stat
let hasStood = false
promises.stat = ((...args: Parameters<typeof look>) => {
  if (!hasStood && args[0] === process.env['PROOF_STATE']) {
    hasStood = true
    writeSync(3, `${thread ?? ''}\n`)
    readSync(4, Buffer.alloc(1))
  }
  return look(...args)
}) as typeof look
syncBuiltinESMExports()
