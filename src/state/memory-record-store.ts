import { type ApplyRecord, emptyRecord } from '../plan/record.js'
import type { RecordStore } from './record-store.js'

/** A record that lasts as long as the process: for the private emulator, which does not outlive it either. */
export function memoryRecordStore(site: string): RecordStore {
  let record = emptyRecord(site)
  const claimed = new Set<string>()
  return {
    read: async () => ({ ok: true, value: record }),
    write: async (next: ApplyRecord) => {
      record = next
      return { ok: true, value: undefined }
    },
    claim: async planId => ({ ok: true, value: !claimed.has(planId) && claimed.add(planId).has(planId) }),
    release: async planId => {
      claimed.delete(planId)
    },
  }
}
