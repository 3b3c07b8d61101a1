import { join, resolve } from 'node:path'
import { siteReader } from '../client/site-reader.js'
import { isLoopback } from '../manifest/site-url.js'
import {
  formatLocation,
  parseDeclaredLocation,
  redactAddress,
  type StateLocation,
} from '../manifest/state-location.js'
import { fileBackend } from '../state/file-backend.js'
import { gitBackend } from '../state/git-backend.js'
import { type IntentNotes, openIntentNotes } from '../state/intent-notes.js'
import { followPointers } from '../state/move-state.js'
import { findStateFolder, openSiteNotes } from '../state/noted-intents.js'
import type { StatePorts, StateStore } from '../state/ports.js'
import type { NamedSite, StateBackend } from '../state/series.js'
import type { Pointer } from '../state/site-chains.js'
import type { StateReason, StateReply } from '../state/state-failure.js'
import { stateStore } from '../state/state-store.js'
import type { LocatedState } from './choose-state.js'
import { identifyManifest } from './manifest-identity.js'
import { findForeignAzureEndpoint, openAzure } from './open-azure.js'
import { openKubernetes } from './open-kubernetes.js'
import { findForeignEndpoint, openS3 } from './open-s3.js'
import { pause } from './system-ports.js'

interface LocationOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A folder in the clone whose remotes a location names. */
  readonly gitFolder: string
}

/** A git command for state. A push of a few kilobytes takes seconds, including a sign-in. */
const gitDeadlineMs = 60_000

/** The variables that allow a location to name an endpoint. */
export const endpointVariables = {
  s3: 'AWS_ENDPOINT_URL_S3',
  azblob: 'AZURE_STORAGE_SERVICE_ENDPOINT',
} as const

interface OpenableState extends LocatedState {
  readonly location: Exclude<StateLocation, { readonly kind: 'postgres' }>
}

/** Opens a location without reading or writing, or returns why it is not allowed. PostgreSQL needs the package for fleets. */
export function openLocation(
  { location, folder }: OpenableState,
  { environment, gitFolder }: LocationOptions,
): StateBackend | StateReason {
  switch (location.kind) {
    case 'file':
      return fileBackend(folder === '.' ? location.folder : resolve(folder, location.folder))
    case 'git':
      return gitBackend(location.remote, { folder: gitFolder, environment, deadlineMs: gitDeadlineMs, pause })
    case 's3': {
      const endpoint = findForeignEndpoint(location, environment)
      return endpoint === undefined
        ? openS3(location, environment)
        : { kind: 'endpoint-not-allowed', endpoint, variable: endpointVariables.s3 }
    }
    case 'azblob': {
      const endpoint = findForeignAzureEndpoint(location, environment)
      return endpoint === undefined
        ? openAzure(location, environment)
        : { kind: 'endpoint-not-allowed', endpoint, variable: endpointVariables.azblob }
    }
    case 'kubernetes':
      return openKubernetes(location, environment)
  }
}

/** The options for opening the state of a site. */
export interface StateStoreOptions {
  readonly ports: StatePorts
  /**
   * Contains the path of the user's state folder, where this machine notes its open submission intents. Absent for an
   * emulator in this process, which is not a real site.
   */
  readonly environment?: LocationOptions['environment'] | undefined
  /** Opens the location that a pointer names, or returns the reason why it is not possible. */
  open(location: StateLocation): Promise<StateBackend | StateReason>
}

/** A place that was chosen for the state of a site. */
export interface ChosenPlace extends Pick<StateStoreOptions, 'open'> {
  readonly backend: StateBackend
  /** The place in the notation of `spec.state`; absent for temporary state. */
  readonly location?: string | undefined
}

/** Opens the state of a site at a place, or at the place to which it was moved. */
export function openStateStore(
  backend: StateBackend,
  { file, ...named }: NamedSite & { readonly file?: string | undefined },
  { ports, environment, open }: StateStoreOptions,
): StateStore {
  const site = { ...named, manifest: file && identifyManifest(resolve(file)) }
  const notes = environment && openNotes(environment)
  const storeIn = (place: StateBackend, pointer?: Pointer) => {
    const where = place.where.replace(/^file:(.*)$/, resolveFileLocation)
    const { address, isTemporary } = place
    return stateStore(place, site, {
      ...ports,
      pointer,
      notes: isTemporary
        ? undefined
        : notes && openSiteNotes({ notes, site, where, address, isEmulatorGone }),
    })
  }
  return followPointers(storeIn(backend), async (text, pointer): Promise<StateReply<StateStore>> => {
    // A pointer may come from a commit, so it may lead only to locations that a manifest may declare.
    const parsed = parseDeclaredLocation(text)
    const opened = parsed.ok
      ? await open(parsed.value)
      : ({ kind: 'no-location', location: redactAddress(text), problem: parsed.error } as const)
    if ('series' in opened) return { ok: true, value: storeIn(opened, pointer) }
    return {
      ok: false,
      error: { kind: 'moved', where: backend.where, reason: opened, to: { state: text } },
    }
  })
}

/** Opens this machine's notes about open submission intents. */
export function openNotes(environment: LocationOptions['environment']): IntentNotes {
  const folder = findStateFolder(environment)
  return openIntentNotes(folder && join(folder, 'intents'))
}

/** True if nothing listens at the address of a site, or another instance of the emulator answers there. */
async function isEmulatorGone(site: string, emulator: string): Promise<boolean> {
  if (!isLoopback(new URL(site).hostname)) return false
  const seen = await siteReader(site).observe(new AbortController().signal)
  if (seen.ok) return seen.value.emulator !== emulator
  return seen.error.kind === 'not-sent' && seen.error.reason === 'ECONNREFUSED'
}

const resolveFileLocation = (_: string, folder: string) => `file:${resolve(folder)}`

/** Returns the reason for a location that cannot be opened from here. */
export function rejectLocation(location: StateLocation): StateReason {
  return { kind: 'unreachable-location', location: formatLocation(location) }
}
