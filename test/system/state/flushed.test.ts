import { join } from 'node:path'
import { swept } from '../../proofs/syscalls/sweep.js'
import { noStrace } from '../../proofs/syscalls/traced.js'
import { writerTrial } from '../../proofs/syscalls/trials.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { testWhere } from '../../support/test-where.js'

// `npm run verify -- syscalls --full` interrupts every system call, in more ways.
const traceable = testWhere(noStrace() === undefined, 'strace, where a process may trace another')
traceable('folders that a writer could not flush are flushed by the next one', async () => {
  const folder = await temporaryFolder()
  const point = { name: 'fsync', when: 1, end: 'signal=KILL' } as const
  const { hit, violations } = await swept(() => writerTrial(folder), point, join(folder, 'trace'))
  expect(hit).toContain('fsync')
  expect(violations).toEqual([])
})
