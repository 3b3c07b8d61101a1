import type { ApplyRecord } from '../plan/record.js'
import type { RecordStore } from '../state/record-store.js'
import type { ApplyEvent } from './event.js'
import type { Outcome } from './outcome.js'

/** Notes what was done. What cannot be noted is still done, so that is an outcome of its own. */
export async function* writeRecord(
  records: RecordStore,
  change: (current: ApplyRecord) => ApplyRecord,
): AsyncGenerator<ApplyEvent, Outcome> {
  const current = await records.read()
  if (!current.ok) return { kind: 'not-recorded', failure: current.failure }
  const next = { ...change(current.value), serial: current.value.serial + 1 }
  const written = await records.write(next)
  if (!written.ok) return { kind: 'not-recorded', failure: written.failure }
  yield { type: 'record-written', serial: next.serial }
  return { kind: 'done' }
}
