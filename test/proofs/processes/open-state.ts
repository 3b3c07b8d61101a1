import type { StateBackend } from '../../../src/state/series.js'
import type { Place } from './landform-process.js'

const located = async (_: string, location: string) => (await import('./located.js')).located(location)

/** Opens state of each kind, from a folder or a location. Each imports only its own modules, which saves most of a start. */
export const openState: Readonly<
  Record<Place['kind'], (folder: string, location: string) => Promise<StateBackend>>
> = {
  file: async folder => (await import('../../../src/state/file-backend.js')).fileBackend(folder),
  async git(folder) {
    const { gitBackend } = await import('../../../src/state/git-backend.js')
    return gitBackend('origin', { folder, environment: process.env, deadlineMs: 60_000 })
  },
  async postgres() {
    const { postgresBackend } = await import('../../../packages/fleet/src/state/postgres-backend.js')
    return postgresBackend(process.env['LANDFORM_DATABASE_URL'] ?? '')
  },
  s3: located,
  azblob: located,
  kubernetes: located,
}
