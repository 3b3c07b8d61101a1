import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Holder } from '../plan/submission.js'
import type { Machine } from './machine.js'

/** A name for a file that is being written: nobody else uses it, and others can tell whether its writer still runs. */
export async function temporaryName(machine: Machine): Promise<string> {
  const self = await machine.self()
  return `.${formatMachine(self)}-${self.pid}-${self.startedAt ?? 0}-${randomBytes(6).toString('hex')}.tmp`
}

/** Removes what processes left that died while they wrote. What may still be written is left alone; failing is no loss. */
export async function collectLeftovers(machine: Machine, folder: string): Promise<void> {
  const self = await machine.self()
  for (const name of await machine.disk.readdir(folder).catch(() => [])) {
    const [, place, pid, startedAt] = /^\.([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}\.tmp$/.exec(name) ?? []
    if (place !== formatMachine(self)) continue
    const writer = {
      ...self,
      pid: Number(pid),
      ...(self.startedAt !== undefined && { startedAt: `${startedAt}` }),
    }
    if ((await machine.liveness(writer)) === 'dead')
      await machine.disk.rm(join(folder, name), { force: true }).catch(() => undefined)
  }
}

/** Where the number of a process means that process and no other. */
function formatMachine({ host, machine, boot, namespace }: Holder): string {
  return createHash('sha256')
    .update(JSON.stringify([host, machine, boot, namespace]))
    .digest('hex')
    .slice(0, 8)
}
