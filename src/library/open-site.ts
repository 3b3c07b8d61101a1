import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { normalizedSiteUrl, siteUrlProblem } from '../manifest/site-url.js'
import { tokenLoan } from '../secrets/token-loan.js'
import type { StateBackend } from '../state/series.js'
import { stateStore } from '../state/state-store.js'
import { chooseState, formatLocation, openStateAt, type StateNeed } from './choose-state.js'
import { loadSite } from './load-site.js'
import type { SiteProblem } from './problem.js'
import { type NamedFile, readNamed } from './read-named.js'
import { redactorOfManifest } from './redactor-of-manifest.js'
import { routeTo } from './route-to.js'
import { bindAll, type Site, secretsOf } from './site.js'
import type { SiteRequest } from './site-request.js'
import { statePorts } from './state-ports.js'
import { systemClock } from './system-clock.js'

export type OpenReply =
  | { readonly ok: true; readonly site: Site }
  | { readonly ok: false; readonly problem: SiteProblem }

/** Opens the site that a program asks for. Nothing is sent, and no secret is read but the key of a client certificate. */
export async function openSite(request: SiteRequest): Promise<OpenReply> {
  const { file, text, url: other, policies = [], environment = {}, elsewhere, ports = {} } = request
  const refused = (problem: SiteProblem): OpenReply => ({ ok: false, problem })
  const unfit = other === undefined ? undefined : siteUrlProblem(other)
  if (other !== undefined && unfit !== undefined)
    return refused({ kind: 'address', url: other, problem: unfit })
  const named = text === undefined ? readNamed(file, 'manifest') : given(file, text)
  if (!named.ok) return refused(named.problem)
  const instead = other === undefined ? undefined : { url: other, by: 'the program' }
  const read = await loadSite(named.source, { file, policies, instead })
  if (!read.ok) return refused(read.problem)
  const { manifest, warnings, policies: found } = read.loaded
  const url = normalizedSiteUrl(other ?? manifest.site.url)
  if (!isAllowed(url, request)) return refused({ kind: 'address', url, problem: 'is not allowed' })
  const folder = dirname(file)
  const secrets = ports.secrets ?? secretsOf(manifest, { folder, environment, elsewhere })
  const way = await routeTo(url, { manifest, secrets, environment })
  if (!way.ok) return refused(way.problem)
  const kept = stateFor({ url, folder, manifest }, request, environment)
  if ('problem' in kept) return refused(kept.problem)
  const site: Site = {
    manifest,
    warnings,
    policies: found,
    url,
    route: { ...way.route, redactor: redactorOfManifest(manifest, secrets) },
    secrets,
    lendToken: ports.lendToken ?? tokenLoan(manifest.site.token, secrets),
    stateLocation: locationOf({ url, folder, manifest }, request),
    state: stateStore(kept, { url, name: manifest.name }, statePorts(ports.clock ?? systemClock)),
    bind: () => bindAll(read.loaded, secrets),
  }
  return { ok: true, site }
}

/** Opens the state that the program or the manifest names, or the one beside it for an emulator. */
function stateFor(
  need: StateNeed,
  { state: given }: Pick<SiteRequest, 'state'>,
  environment: Readonly<Record<string, string | undefined>>,
): StateBackend | { readonly problem: SiteProblem } {
  const choice = chooseState(need)
  if (given !== undefined) {
    const declared =
      need.manifest?.state === undefined || choice.kind !== 'chosen' ? undefined : choice.location
    // A program that brings its own place knows which one; that it is of another kind cannot be meant.
    if (declared === undefined || declared.kind === given.kind || given.kind === 'memory') return given
    const [location, other] = [formatLocation(declared), given.where]
    return { problem: { kind: 'state-location', url: need.url, because: 'contradiction', location, other } }
  }
  if (choice.kind !== 'chosen')
    return { problem: { kind: 'state-location', url: need.url, because: 'undeclared' } }
  const { location, folder } = choice
  if (location.kind !== 'postgres')
    return openStateAt({ location, folder }, { environment, gitFolder: need.folder })
  return {
    problem: {
      kind: 'state-location',
      url: need.url,
      because: 'needs-package',
      location: formatLocation(location),
    },
  }
}

/** Names the place that was opened, unless the program brings its own. */
function locationOf(need: StateNeed, { state }: Pick<SiteRequest, 'state'>): string | undefined {
  const choice = chooseState(need)
  return state === undefined && choice.kind === 'chosen' && choice.isSaid
    ? formatLocation(choice.location)
    : undefined
}

/** What is at hand still belongs to a folder, where the files that it names are looked for. */
function given(file: string, text: string): NamedFile {
  if (existsSync(dirname(file))) return { ok: true, source: { name: file, bytes: Buffer.from(text) } }
  const problem = 'belongs to a folder that does not exist'
  return { ok: false, problem: { kind: 'file', what: 'manifest', file, because: 'missing', problem } }
}

function isAllowed(url: string, { allowedOrigins }: SiteRequest): boolean {
  const { origin } = new URL(url)
  return allowedOrigins === undefined || allowedOrigins.some(one => new URL(one).origin === origin)
}
