import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { findSiteUrlProblem, normalizeSiteUrl } from '../manifest/site-url.js'
import { formatLocation, type StateLocation } from '../manifest/state-location.js'
import type { Result } from '../result.js'
import { assembleSite, type ChosenPlace } from './assemble-site.js'
import { chooseState, type StateNeed } from './choose-state.js'
import { loadSite } from './load-site.js'
import { openLocation, rejectLocation } from './open-state.js'
import type { SiteProblem, StateLocationProblem } from './problem.js'
import { type NamedFile, readNamed } from './read-named.js'
import { openSecrets, type Site } from './site.js'
import type { SiteRequest } from './site-request.js'
import { systemClock } from './system-clock.js'

export type OpenReply = Result<Site, SiteProblem>

/** Opens the site of a request. Sends nothing, and reads no secret but the key of a client certificate. */
export async function openSite(request: SiteRequest): Promise<OpenReply> {
  const { file, text, url: other, policies = [], environment = {}, elsewhere, ports = {} } = request
  const refused = (problem: SiteProblem): OpenReply => ({ ok: false, error: problem })
  const problem = other === undefined ? undefined : findSiteUrlProblem(other)
  if (other !== undefined && problem !== undefined)
    return refused({ kind: 'address', url: other, because: 'invalid', problem })
  const named = text === undefined ? readNamed(file, 'manifest') : useGivenText(file, text)
  if (!named.ok) return refused(named.error)
  const instead = other === undefined ? undefined : ({ url: other, by: 'program' } as const)
  const read = await loadSite(named.value, { file, policies, instead })
  if (!read.ok) return refused(read.error)
  const { manifest } = read.value
  const url = normalizeSiteUrl(other ?? manifest.site.url)
  if (!isAllowed(url, request)) return refused({ kind: 'address', url, because: 'not-allowed' })
  const folder = dirname(file)
  const place = selectState({ url, folder, manifest }, request, environment)
  if (!place.ok) return place
  return assembleSite(read.value, {
    url,
    answers: 'site',
    secrets: ports.secrets ?? openSecrets(manifest, { folder, environment, elsewhere }),
    provideToken: ports.provideToken,
    state: place.value,
    environment,
    clock: ports.clock ?? systemClock,
  })
}

/** Chooses the state that the program or the manifest names, or the one beside it for an emulator. */
function selectState(
  need: StateNeed,
  { state: given }: Pick<SiteRequest, 'state'>,
  environment: Readonly<Record<string, string | undefined>>,
): Result<ChosenPlace, SiteProblem> {
  const { url, folder: gitFolder } = need
  const refused = (because: StateLocationProblem): Result<never, SiteProblem> => ({
    ok: false,
    error: { kind: 'state-location', url, ...because },
  })
  const open = async (location: StateLocation) =>
    location.kind === 'postgres'
      ? rejectLocation(location)
      : openLocation({ location, folder: '.' }, { environment, gitFolder })
  const choice = chooseState(need)
  const declared = choice.kind === 'chosen' && choice.isSaid ? choice.location : undefined
  const location = declared && formatLocation(declared)
  if (given !== undefined) {
    // A program that passes its own backend chooses the place, but the backend must be of the declared kind.
    if (declared === undefined || location === undefined || [declared.kind, 'memory'].includes(given.kind))
      return { ok: true, value: { backend: given, open } }
    return refused({ because: 'contradiction', location, other: given.where })
  }
  if (choice.kind !== 'chosen') return refused({ because: 'undeclared' })
  if (choice.location.kind === 'postgres')
    return refused({ because: 'needs-package', location: formatLocation(choice.location) })
  const { location: found, folder } = choice
  const backend = openLocation({ location: found, folder }, { environment, gitFolder })
  return { ok: true, value: { backend, location, open } }
}

/** Uses a given text. Its folder must exist, since the files that it names are resolved from there. */
function useGivenText(file: string, text: string): NamedFile {
  if (existsSync(dirname(file))) return { ok: true, value: { name: file, bytes: Buffer.from(text) } }
  const defect = { kind: 'missing-folder' } as const
  return { ok: false, error: { kind: 'file', what: 'manifest', file, because: 'missing', defect } }
}

function isAllowed(url: string, { allowedOrigins }: SiteRequest): boolean {
  const { origin } = new URL(url)
  return allowedOrigins === undefined || allowedOrigins.some(one => new URL(one).origin === origin)
}
