import { chooseState, type LocatedState, type StateNeed } from '../../library/choose-state.js'
import {
  type ChosenPlace,
  endpointVariables,
  openLocation,
  rejectLocation,
} from '../../library/open-state.js'
import {
  describeLocation,
  formatLocation,
  parseStateLocation,
  type StateLocation,
  suggestLocation,
} from '../../manifest/state-location.js'
import { toFailure } from '../../report/endings/problems.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import { shellWord } from '../../report/shell-word.js'
import type { Result } from '../../result.js'
import { memoryBackend } from '../../state/memory-backend.js'
import type { StateBackend } from '../../state/series.js'
import { loadFleetPackage } from '../commands/fleet.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import { connectionString } from './secret-option.js'
import type { SiteArguments } from './session.js'

type ChosenState = Result<ChosenPlace, Failure>

/** Chooses the state from `--state` and the manifest, once the site is known. A private emulator keeps its state in memory. */
export function selectState(
  {
    state: option,
    emulate,
    offline = false,
    needsState = !offline,
  }: Pick<SiteArguments, 'state' | 'emulate' | 'offline' | 'needsState'>,
  host: Pick<Host, 'environment'>,
): (site: StateNeed) => Promise<ChosenState> {
  if (option !== undefined && emulate)
    throw new UsageError('--state and --emulate exclude each other: a private emulator leaves no state')
  const given = option === undefined ? undefined : parseStateOption('state', option)
  if (offline && given !== undefined && given.kind !== 'file')
    throw new UsageError(
      `--offline and --state ${given.kind}: exclude each other: it would be reached over the network`,
    )
  return async site => {
    if (emulate) return memory()
    const choice = chooseState(site, given)
    switch (choice.kind) {
      case 'chosen':
        return openChosen(choice, {
          environment: allowEndpoint(given, host.environment),
          offline,
          gitFolder: site.folder,
        })
      case 'contradiction': {
        const { file = 'site.yaml' } = site.manifest ?? {}
        const move = ['landform', 'state', 'move', choice.declared, `${option}`, file]
        return reject(
          `\`--state ${option}\` contradicts \`state: ${choice.declared}\` in ${choice.file}`,
          `leave out \`--state\`; to keep the state elsewhere, move it first: \`${move.map(shellWord).join(' ')}\``,
        )
      }
      case 'undeclared':
        if (!needsState) return memory()
        return {
          ok: false,
          error: toFailure({ kind: 'state-location', because: 'undeclared', url: site.url }),
        }
    }
  }
}

/** Parses an option that names a state location. */
export function parseStateOption(name: string, text: string): StateLocation {
  const parsed = parseStateLocation(text)
  if (parsed.ok) return parsed.value
  throw new UsageError(`--${name}: ${describeLocation(text)} ${parsed.error}; ${suggestLocation(text)}`)
}

/** Allows the endpoint of a location on the command line, as if the environment named it. */
export function allowEndpoint(
  given: StateLocation | undefined,
  environment: Host['environment'],
): Host['environment'] {
  return (given?.kind === 's3' || given?.kind === 'azblob') && given.endpoint !== undefined
    ? { ...environment, [endpointVariables[given.kind]]: given.endpoint }
    : environment
}

interface Opening extends Pick<Host, 'environment'> {
  readonly offline: boolean
  readonly gitFolder: string
}

async function openChosen(
  { location, folder, isSaid }: LocatedState & { readonly isSaid: boolean },
  { environment, offline, gitFolder }: Opening,
): Promise<ChosenState> {
  // Remote state cannot be read offline, like the site itself.
  if (offline && location.kind !== 'file') return memory()
  const surroundings = { environment, gitFolder }
  const opened = await openAnyLocation({ location, folder }, surroundings)
  if (!opened.ok) return opened
  const open = async (to: StateLocation) => {
    if (offline && to.kind !== 'file') return rejectLocation(to)
    const there = await openAnyLocation({ location: to, folder: '.' }, surroundings)
    return there.ok ? there.value : ({ kind: 'reported', text: there.error.message } as const)
  }
  return {
    ok: true,
    value: { backend: opened.value, ...(isSaid && { location: formatLocation(location) }), open },
  }
}

type OpenedLocation = Result<StateBackend, Failure>

/** Opens a location, including PostgreSQL. Does not read or write state yet. */
export async function openAnyLocation(
  { location, folder }: LocatedState,
  { environment, gitFolder }: Omit<Opening, 'offline'>,
): Promise<OpenedLocation> {
  if (location.kind === 'postgres') return openPostgres(location.reference, environment)
  const opened = openLocation({ location, folder }, { environment, gitFolder })
  if ('series' in opened) return { ok: true, value: opened }
  const problem = { because: 'not-allowed', location: formatLocation(location), reason: opened } as const
  return { ok: false, error: toFailure({ kind: 'state-location', ...problem }) }
}

async function openPostgres(reference: string, environment: Host['environment']): Promise<OpenedLocation> {
  const loaded = await loadFleetPackage()
  if (!loaded.ok)
    return reject(
      `${formatLocation({ kind: 'postgres', reference })}: ${loaded.error.message}`,
      loaded.error.next,
    )
  const found = await connectionString('state postgres:', reference, { environment })
  return found.ok ? { ok: true, value: loaded.value.postgresBackend(found.value) } : found
}

/** Creates state in memory, which leaves nothing behind. */
function memory(): ChosenState {
  const backend = memoryBackend()
  return { ok: true, value: { backend, open: async () => backend } }
}

function reject(message: string, next: string): Result<never, Failure> {
  return { ok: false, error: { exitCode: exitCodes.refused, message, next: [next] } }
}
