import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The number of a process that has just ended. */
export async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}
