import { readFile } from 'node:fs/promises'

/** A process id that is never in use: those of Linux end at 4,194,304, see proc_sys_kernel(5). */
export const deadPid = 4_194_305

/** Returns the start time of a process, in clock ticks since boot: field 22 of proc_pid_stat(5). */
export async function processStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
