import type { ApplyRecord } from '../plan/record.js'
import type { RecordStore } from '../state/record-store.js'
import type { ApplyEvent } from './event.js'
import type { Outcome } from './outcome.js'

type After = (Outcome & { readonly kind: 'not-recorded' })['after']

/** Notes what was done. What cannot be noted is still done, so that is an outcome of its own. */
export async function* writeRecord(
  records: RecordStore,
  after: After,
  change: (current: ApplyRecord) => ApplyRecord,
): AsyncGenerator<ApplyEvent, Outcome> {
  const written = await noted(records, change)
  if (!written.ok) return { kind: 'not-recorded', after, failure: written.failure }
  yield { type: 'record-written', serial: written.value }
  return { kind: 'done' }
}

/**
 * Forgets what a request is about to make untrue, before it is sent: whatever becomes of it, the record then claims
 * nothing that is not so. Where that cannot be written the request must not be sent.
 */
export async function forget(
  records: RecordStore,
  after: After,
  fields: readonly ('organization' | 'policy')[],
): Promise<Outcome> {
  const written = await noted(records, current => {
    const kept = Object.entries(current).filter(([name]) => !(fields as readonly string[]).includes(name))
    return Object.fromEntries(kept) as unknown as ApplyRecord
  })
  return written.ok ? { kind: 'done' } : { kind: 'not-recorded', after, failure: written.failure }
}

/** Notes something in passing; the serial it got, or why it could not be noted. */
export async function noted(records: RecordStore, change: (current: ApplyRecord) => ApplyRecord) {
  const current = await records.read()
  if (!current.ok) return current
  const serial = current.value.serial + 1
  const written = await records.write({ ...change(current.value), serial })
  return written.ok ? ({ ok: true, value: serial } as const) : written
}
