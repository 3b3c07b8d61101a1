import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../apply/clock.js'
import type { SiteWriter } from '../client/site-client.js'
import { findSiteUrlProblem } from '../manifest/site-url.js'
import { formatLocation, type StateLocation } from '../manifest/state-location.js'
import type { SavedPlan } from '../plan/saved/saved-plan.js'
import type { Result } from '../result.js'
import type { JsonPointer } from '../schema/pointer.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenProvider } from '../secrets/token-provider.js'
import { withHome } from '../state/noted-intents.js'
import type { StateBackend } from '../state/series.js'
import { chooseState, type StateNeed } from './choose-state.js'
import { loadSite } from './load-site.js'
import { openLoaded } from './open-loaded.js'
import { type ChosenPlace, openLocation, rejectLocation } from './open-state.js'
import type { SiteProblem, StateLocationProblem } from './problem.js'
import { type NamedFile, readNamed } from './read-files.js'
import type { Site } from './site.js'
import { systemClock } from './system-ports.js'

/** Replacements for the clock, the network and the files. Absent ones stay real. */
export interface SitePorts {
  /** Replaces the client for the address of the site. */
  readonly client?: SiteWriter
  /** Replaces the environment and the files below the manifest. */
  readonly secrets?: SecretSource
  /** Replaces the token that the manifest names, and any sign-in. */
  readonly provideToken?: TokenProvider
  readonly clock?: Clock
  /** Returns a number from 0 to 1, to spread polls. */
  random?(): number
}

/** A program's request for a site. Nothing is read from the process that the program does not pass. */
export interface SiteRequest {
  /** The path of the manifest. */
  readonly file: string
  /** The text of the manifest, if the program has it; relative paths in it start from the folder of `file`. */
  readonly text?: string
  /** The environment for references to secrets and for the conventional proxy variables; `{}` unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The address to call instead of the one in the manifest. */
  readonly url?: string
  /** Origins that requests may go to; all unless given. */
  readonly allowedOrigins?: readonly string[]
  /** A second folder for files of the manifest: one missing below `root` is read at the same path below `instead`. */
  readonly elsewhere?: { readonly root: string; readonly instead: string }
  /** Policy files in addition to those around the manifest. */
  readonly policies?: readonly string[]
  /** The backend for state instead of the location in the manifest. PostgreSQL requires one. */
  readonly state?: StateBackend
  /** Allows creating a site with state in a folder although the environment has `CI`, because the disk lasts. */
  readonly acceptLocalState?: boolean
  /** A saved plan, to be performed exactly as reviewed. It is stale if the manifest and the site now lead to another plan. */
  readonly saved?: SavedPlan
  /** The signature of the saved plan, if a policy requires one. */
  readonly signature?: string
  /** Fields whose edits the plan leaves out, because no operation can apply them. */
  readonly ignoreImmutable?: readonly JsonPointer[]
  readonly ports?: SitePorts
  /** Stops reading the site. */
  readonly signal?: AbortSignal
}

type OpenReply = Result<Site, SiteProblem>

/** Opens the site of a request. Sends nothing, and reads no secret but the key of a client certificate. */
export async function openSite(request: SiteRequest): Promise<OpenReply> {
  const { file, text, url, policies = [], environment = {}, elsewhere, ports = {} } = request
  const refused = (problem: SiteProblem): OpenReply => ({ ok: false, error: problem })
  const problem = url === undefined ? undefined : findSiteUrlProblem(url)
  if (url !== undefined && problem !== undefined)
    return refused({ kind: 'address', url, because: 'invalid', problem })
  const named = text === undefined ? readNamed(file, 'manifest') : useGivenText(file, text)
  if (!named.ok) return refused(named.error)
  const instead = url === undefined ? undefined : ({ url, by: 'program' } as const)
  const read = await loadSite(named.value, { file, policies, instead })
  if (!read.ok) return refused(read.error)
  return openLoaded<SiteProblem>(read.value, {
    url,
    permit: called =>
      isAllowed(called, request) ? undefined : { kind: 'address', url: called, because: 'not-allowed' },
    chooseState: async need => selectState(need, request, environment),
    // This machine notes its submission intents, even for a program that passes no environment.
    environment: withHome(environment),
    clock: ports.clock ?? systemClock,
    elsewhere,
    secrets: ports.secrets,
    provideToken: ports.provideToken,
  })
}

/** Selects the backend of the program, the location that the manifest declares, or for an emulator a folder beside it. */
function selectState(
  need: StateNeed,
  { state: given }: Pick<SiteRequest, 'state'>,
  environment: Readonly<Record<string, string | undefined>>,
): Result<ChosenPlace, SiteProblem> {
  const { url, folder: gitFolder } = need
  const surroundings = { environment, gitFolder }
  const refused = (because: StateLocationProblem): Result<never, SiteProblem> => ({
    ok: false,
    error: { kind: 'state-location', ...because },
  })
  const open = async (location: StateLocation) =>
    location.kind === 'postgres'
      ? rejectLocation(location)
      : openLocation({ location, folder: '.' }, surroundings)
  const choice = chooseState(need)
  const declared = choice.kind === 'chosen' && choice.isSaid ? choice.location : undefined
  const location = declared && formatLocation(declared)
  if (given !== undefined) {
    // A backend from the program must be of the declared kind, unless it is temporary.
    if (declared === undefined || given.isTemporary || declared.kind === given.kind)
      return { ok: true, value: { backend: given, open } }
    return refused({ because: 'contradiction', location: formatLocation(declared), other: given.where })
  }
  if (choice.kind !== 'chosen') return refused({ because: 'undeclared', url })
  if (choice.location.kind === 'postgres')
    return refused({ because: 'needs-package', location: formatLocation(choice.location) })
  const { location: found, folder } = choice
  const opened = openLocation({ location: found, folder }, surroundings)
  return 'series' in opened
    ? { ok: true, value: { backend: opened, location, open } }
    : refused({ because: 'not-allowed', location: formatLocation(found), reason: opened })
}

/** Uses a text passed by the program. The folder of its file must exist, because relative paths in the text start there. */
function useGivenText(file: string, text: string): NamedFile {
  if (existsSync(dirname(file))) return { ok: true, value: { name: file, bytes: Buffer.from(text) } }
  const defect = { kind: 'missing-folder' } as const
  return { ok: false, error: { kind: 'file', what: 'manifest', file, because: 'missing', defect } }
}

function isAllowed(url: string, { allowedOrigins }: SiteRequest): boolean {
  const { origin } = new URL(url)
  return allowedOrigins === undefined || allowedOrigins.some(one => new URL(one).origin === origin)
}
