// A folder for temporary files in memory, where the machine has the room: tests make hundreds of thousands, of which every git
// repository and every database is a few hundred, and on a disk that takes a tenth of the whole time. Run alone it prints the
// folder. Who makes it removes it.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const memory = '/dev/shm'
const roomBytes = 4e9

/** Makes the folder; `undefined` where there is none in memory, too little room, or programs may not start from it. */
export function makeMemoryFolder() {
  let folder
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < roomBytes) return undefined
    // The name is short, as that of the usual folder, for messages with paths are wrapped.
    folder = mkdtempSync(`${memory}/`)
    // Databases run as another user.
    chmodSync(folder, 0o755)
    const program = `${folder}/program`
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
    rmSync(folder, { recursive: true })
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true })
  }
  return undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(makeMemoryFolder() ?? '')
