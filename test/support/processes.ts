import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

/** The number of a process that has just ended. */
export async function deadPid(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** When a process began, as the system counts it: field 22 of proc_pid_stat(5). */
export async function processStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
