import type pg from 'pg'
import { DatabaseError } from './database-error.js'

/**
 * Rejects with a `DatabaseError` where a new connection has no process of the server to itself: the server has told it of
 * one when it began, a pooler of something else. Locks belong to that process, and a pooler that lends it to others between
 * two transactions lends them the locks, too. Nobody can see from here how long one keeps it for whom.
 */
export async function refusePooler(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as backend')
  const { processID } = client as pg.ClientBase & { readonly processID: number }
  if ((rows[0] as { readonly backend: number }).backend !== processID)
    throw new DatabaseError('a pooler is in between', 'LANDFORM_POOLER')
}
