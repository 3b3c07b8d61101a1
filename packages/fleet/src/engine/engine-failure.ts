import { Error as EngineErrors } from '@dbos-inc/dbos-sdk'
import { DatabaseError, toDatabaseError } from '../database/database-error.js'

/**
 * Runs an operation of the engine and converts its errors. The engine uses the pool itself, so it passes on errors of the
 * driver, possibly wrapped; a failed start is an error of the database.
 */
export async function withEngineErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toEngineError(error)
  }
}

function toEngineError(error: unknown): unknown {
  if (!(error instanceof EngineErrors.DBOSInitializationError)) return toDatabaseError(error)
  const cause = toDatabaseError(error.error ?? error)
  return cause instanceof DatabaseError
    ? cause
    : new DatabaseError('the engine cannot start with this database', '08006')
}
