import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { normalizedSiteUrl, siteUrlProblem } from '../manifest/site-url.js'
import { formatLocation } from '../manifest/state-location.js'
import type { Result } from '../result.js'
import { tokenLoan } from '../secrets/token-loan.js'
import type { StateBackend } from '../state/series.js'
import { chooseState, type StateNeed } from './choose-state.js'
import { loadSite } from './load-site.js'
import { cannotFollow, keptState, openLocation } from './open-state.js'
import type { SiteProblem } from './problem.js'
import { type NamedFile, readNamed } from './read-named.js'
import { redactorOfManifest } from './redactor-of-manifest.js'
import { routeTo } from './route-to.js'
import { bindAll, type Site, secretsOf } from './site.js'
import type { SiteRequest } from './site-request.js'
import { statePorts } from './state-ports.js'
import { systemClock } from './system-clock.js'

export type OpenReply = Result<Site, SiteProblem>

/** Opens the site that a program asks for. Nothing is sent, and no secret is read but the key of a client certificate. */
export async function openSite(request: SiteRequest): Promise<OpenReply> {
  const { file, text, url: other, policies = [], environment = {}, elsewhere, ports = {} } = request
  const refused = (problem: SiteProblem): OpenReply => ({ ok: false, error: problem })
  const unfit = other === undefined ? undefined : siteUrlProblem(other)
  if (other !== undefined && unfit !== undefined)
    return refused({ kind: 'address', url: other, problem: unfit })
  const named = text === undefined ? readNamed(file, 'manifest') : given(file, text)
  if (!named.ok) return refused(named.error)
  const instead = other === undefined ? undefined : { url: other, by: 'the program' }
  const read = await loadSite(named.value, { file, policies, instead })
  if (!read.ok) return refused(read.error)
  const { manifest, warnings, policies: found } = read.value
  const url = normalizedSiteUrl(other ?? manifest.site.url)
  if (!isAllowed(url, request)) return refused({ kind: 'address', url, problem: 'is not allowed' })
  const folder = dirname(file)
  const secrets = ports.secrets ?? secretsOf(manifest, { folder, environment, elsewhere })
  const way = await routeTo(url, { manifest, secrets, environment })
  if (!way.ok) return refused(way.error)
  const need = { url, folder, manifest }
  const kept = stateFor(need, request, environment)
  if ('problem' in kept) return refused(kept.problem)
  const site: Site = {
    manifest,
    warnings,
    policies: found,
    url,
    route: { ...way.value, redactor: redactorOfManifest(manifest, secrets) },
    secrets,
    lendToken: ports.lendToken ?? tokenLoan(manifest.site.token, secrets),
    stateLocation: kept.location,
    state: keptState(
      kept.backend,
      { url, name: manifest.name },
      {
        ports: statePorts(ports.clock ?? systemClock),
        environment,
        open: async location =>
          location.kind === 'postgres'
            ? cannotFollow(location)
            : openLocation({ location, folder: '.' }, { environment, gitFolder: folder }),
      },
    ),
    bind: () => bindAll(read.value, secrets),
  }
  return { ok: true, value: site }
}

type Kept =
  /** `location` where the manifest names it. */
  { readonly backend: StateBackend; readonly location?: string } | { readonly problem: SiteProblem }

/** Opens the state that the program or the manifest names, or the one beside it for an emulator. */
function stateFor(
  need: StateNeed,
  { state: given }: Pick<SiteRequest, 'state'>,
  environment: Readonly<Record<string, string | undefined>>,
): Kept {
  const { url } = need
  const choice = chooseState(need)
  const declared = choice.kind === 'chosen' && choice.isSaid ? choice.location : undefined
  const location = declared && formatLocation(declared)
  if (given !== undefined) {
    // A program that brings its own place knows which one; that it is of another kind cannot be meant.
    if (declared === undefined || location === undefined || [declared.kind, 'memory'].includes(given.kind))
      return { backend: given }
    const because = 'contradiction'
    return { problem: { kind: 'state-location', url, because, location, other: given.where } }
  }
  if (choice.kind !== 'chosen') return { problem: { kind: 'state-location', url, because: 'undeclared' } }
  if (choice.location.kind === 'postgres')
    return {
      problem: {
        kind: 'state-location',
        url,
        because: 'needs-package',
        location: formatLocation(choice.location),
      },
    }
  const backend = openLocation(
    { location: choice.location, folder: choice.folder },
    { environment, gitFolder: need.folder },
  )
  return { backend, ...(location !== undefined && { location }) }
}

/** What is at hand still belongs to a folder, where the files that it names are looked for. */
function given(file: string, text: string): NamedFile {
  if (existsSync(dirname(file))) return { ok: true, value: { name: file, bytes: Buffer.from(text) } }
  const problem = 'belongs to a folder that does not exist'
  return { ok: false, error: { kind: 'file', what: 'manifest', file, because: 'missing', problem } }
}

function isAllowed(url: string, { allowedOrigins }: SiteRequest): boolean {
  const { origin } = new URL(url)
  return allowedOrigins === undefined || allowedOrigins.some(one => new URL(one).origin === origin)
}
