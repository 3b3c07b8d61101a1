import { join } from 'node:path'
import { fileBackend } from '../state/file-backend.js'
import { gitBackend } from '../state/git-backend.js'
import { remoteComplaint } from '../state/git-remote.js'
import type { StateBackend } from '../state/series.js'
import { connectionString } from './engine/connection-string.js'
import { loadFleetPackage } from './engine/load-fleet-package.js'
import { exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { parseSecretOption } from './one-shot/secret-option.js'
import type { Failure } from './output.js'
import { UsageError } from './usage-error.js'

/** The values of the options that say where state is kept. */
interface StateArguments {
  readonly state: string | undefined
  readonly emulate: boolean
  readonly offline?: boolean
}

/** A push of a few kilobytes takes seconds, also where a sign-in comes before it. */
const gitTimeoutMs = 60_000

export type ChosenState =
  | { readonly ok: true; readonly backend: StateBackend }
  | { readonly ok: false; readonly failure: Failure }

/** What `--state` names: a place, once the folder of the manifest is known. */
export function chosenState(
  { state: option, emulate, offline = false }: StateArguments,
  { environment }: Pick<Host, 'environment'>,
): (folder: string) => Promise<ChosenState> {
  if (option === undefined) return async folder => chosen(fileBackend(join(folder, '.landform')))
  if (emulate)
    throw new UsageError('--state and --emulate exclude each other: a private emulator leaves no state')
  const [, kind, place = ''] = /^(file|git|postgres):(.*)$/s.exec(option) ?? []
  if (kind === undefined || (kind === 'file' && place === ''))
    throw new UsageError(
      '--state names a folder, such as file:.landform, a git remote, such as git:origin, or where the connection string of PostgreSQL stands, such as postgres:env:LANDFORM_DATABASE_URL',
    )
  if (kind === 'file') return async () => chosen(fileBackend(place))
  if (offline)
    throw new UsageError(
      `--offline and --state ${kind}: exclude each other: it would be reached over the network`,
    )
  if (kind === 'postgres') return inPostgres(place, environment)
  const complaint = remoteComplaint(place)
  if (complaint !== undefined)
    throw new UsageError(`--state git:REMOTE cannot name this remote: ${complaint}`)
  return async folder => chosen(gitBackend(place, { folder, environment, timeoutMs: gitTimeoutMs }))
}

function chosen(backend: StateBackend): ChosenState {
  return { ok: true, backend }
}

/** What is needed for it is loaded only here. */
function inPostgres(reference: string, environment: Host['environment']): () => Promise<ChosenState> {
  const option = 'state postgres:'
  parseSecretOption(option, reference)
  return async () => {
    const loaded = await loadFleetPackage()
    if (!loaded.ok) {
      const { message, next } = loaded
      return {
        ok: false,
        failure: { exitCode: exitCodes.refused, message: `--state postgres: ${message}`, next },
      }
    }
    const found = await connectionString(option, reference, { environment })
    return found.ok ? chosen(loaded.fleet.postgresBackend(found.connection)) : found
  }
}
