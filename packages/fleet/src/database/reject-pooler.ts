import type pg from 'pg'
import { DatabaseError } from './database-error.js'

/**
 * Rejects with a `DatabaseError` if a new connection does not own its server process: the process id that the server sent
 * at the start differs from the one that answers. Locks belong to that process, so a pooler that shares it between
 * transactions also shares its locks. The client cannot detect how long a pooler keeps it.
 */
export async function rejectPooler(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as backend')
  const { processID } = client as pg.ClientBase & { readonly processID: number }
  if ((rows[0] as { readonly backend: number }).backend !== processID)
    throw new DatabaseError('a pooler is in between', 'LANDFORM_POOLER')
}
