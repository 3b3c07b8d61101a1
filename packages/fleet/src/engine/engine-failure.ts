import { Error as EngineErrors } from '@dbos-inc/dbos-sdk'
import { DatabaseError, databaseError } from '../database/database-error.js'

/**
 * Runs an operation of the engine and converts its errors. The engine uses the pool itself, so its errors are those of the
 * driver, possibly wrapped; a failed start is an error of the database.
 */
export async function overDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw engineFailure(error)
  }
}

function engineFailure(error: unknown): unknown {
  if (!(error instanceof EngineErrors.DBOSInitializationError)) return databaseError(error)
  const cause = databaseError(error.error ?? error)
  return cause instanceof DatabaseError
    ? cause
    : new DatabaseError('the engine cannot start with this database', '08006')
}
