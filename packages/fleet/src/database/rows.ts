/** An SQL expression for a time in milliseconds since 1970. */
export const ms = (column: string) => `extract(epoch from ${column})::float8 * 1000`

/** The columns of a run, under the names that it has here. */
export const runColumns = `site, generation, rollout, name, manifest, digest, commit, wave, priority,
  timeout_ms::float8 as "timeoutMs", state, phase, message, exit_code as "exitCode", stages, warnings, retries, worker,
  cancel_requested_at is not null as "isCancelRequested", ${ms('submitted_at')} as "submittedAt",
  ${ms('started_at')} as "startedAt", ${ms('ended_at')} as "endedAt", ${ms('changed_at')} as "changedAt"`

/** The columns of a rollout, under the names that it has here. */
export const rolloutColumns = `id, submitted_by as "submittedBy", ${ms('submitted_at')} as "submittedAt", wave, waves,
  keeps_going as "keepsGoing", state`

/** A row in which columns without a value are null. */
export type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

/** Removes the null columns of a row. */
export function withoutNulls<T extends object>(row: Nullable<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T
}
