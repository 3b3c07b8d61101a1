import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Holder } from '../plan/submission.js'
import type { Machine } from './machine.js'

/** Makes a unique name for a temporary file, from which others can check whether its writer still runs. */
export async function temporaryName(machine: Machine): Promise<string> {
  const self = await machine.self()
  return `.${formatMachine(self)}-${self.pid}-${self.startedAt ?? 0}-${randomBytes(6).toString('hex')}.tmp`
}

/**
 * Removes temporary files of processes that died while writing. Files that may still be written stay. A failure does
 * no harm, since the next write tries again.
 */
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

/** Digests the facts within which a process number identifies one process. */
function formatMachine({ host, machine, boot, namespace }: Holder): string {
  return createHash('sha256')
    .update(JSON.stringify([host, machine, boot, namespace]))
    .digest('hex')
    .slice(0, 8)
}
