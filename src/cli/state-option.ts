import { join } from 'node:path'
import { fileBackend } from '../state/file-backend.js'
import { gitBackend } from '../state/git-backend.js'
import { remoteComplaint } from '../state/git-remote.js'
import type { StateBackend } from '../state/series.js'
import type { Host } from './host.js'
import { UsageError } from './usage-error.js'

/** The values of the options that say where state is kept. */
interface StateArguments {
  readonly state: string | undefined
  readonly emulate: boolean
  readonly offline?: boolean
}

/** A push of a few kilobytes takes seconds, also where a sign-in comes before it. */
const gitTimeoutMs = 60_000

/** What `--state` names: a place, once the folder of the manifest is known. */
export function chosenState(
  { state: option, emulate, offline = false }: StateArguments,
  { environment }: Pick<Host, 'environment'>,
): (folder: string) => StateBackend {
  if (option === undefined) return folder => fileBackend(join(folder, '.landform'))
  if (emulate)
    throw new UsageError('--state and --emulate exclude each other: a private emulator leaves no state')
  const [, kind, place = ''] = /^(file|git):(.*)$/s.exec(option) ?? []
  if (kind === undefined || (kind === 'file' && place === ''))
    throw new UsageError(
      '--state names a folder, such as file:.landform, or a git remote, such as git:origin',
    )
  if (kind === 'file') return () => fileBackend(place)
  if (offline)
    throw new UsageError(
      '--offline and --state git:REMOTE exclude each other: git would reach for the remote',
    )
  const complaint = remoteComplaint(place)
  if (complaint !== undefined)
    throw new UsageError(`--state git:REMOTE cannot name this remote: ${complaint}`)
  return folder => gitBackend(place, { folder, environment, timeoutMs: gitTimeoutMs })
}
