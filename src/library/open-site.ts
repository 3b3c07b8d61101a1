import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { normalizedSiteUrl, siteUrlProblem } from '../manifest/site-url.js'
import { tokenLoan } from '../secrets/token-loan.js'
import { fileBackend } from '../state/file-backend.js'
import { stateStore } from '../state/state-store.js'
import { loadSite } from './load-site.js'
import type { SiteProblem } from './problem.js'
import { type NamedFile, readNamed } from './read-named.js'
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
  const { manifest, warnings, policies: kept } = read.loaded
  const url = normalizedSiteUrl(other ?? manifest.site.url)
  if (!isAllowed(url, request)) return refused({ kind: 'address', url, problem: 'is not allowed' })
  const folder = dirname(file)
  const secrets = ports.secrets ?? secretsOf(manifest, { folder, environment, elsewhere })
  const way = await routeTo(url, { manifest, secrets, environment })
  if (!way.ok) return refused(way.problem)
  const backend = request.state ?? fileBackend(join(folder, '.landform'))
  const site: Site = {
    manifest,
    warnings,
    policies: kept,
    url,
    route: way.route,
    secrets,
    lendToken: ports.lendToken ?? tokenLoan(manifest.site.token, secrets),
    state: stateStore(backend, url, statePorts(ports.clock ?? systemClock)),
    bind: () => bindAll(read.loaded, secrets),
  }
  return { ok: true, site }
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
