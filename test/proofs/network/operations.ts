import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import type { WorldOptions } from '../../../src/emulator/service/world.js'
import { fakeHost } from '../../support/fake-host.js'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { letters } from '../secrets/canaries.js'
import { scannerFor } from '../secrets/scanner.js'
import type { HeardRequest, HousedSite, HttpsHouse } from './https-house.js'

/** Secrets of one caller. */
interface Canaries {
  readonly environment: Readonly<Record<string, string>>
  readonly license: string
  /** Names the secrets in a text, in any encoding. */
  foundIn(text: string): readonly string[]
}

/** Makes secrets of letters and digits, which most encodings leave as they are. */
function newCanaries(): Canaries {
  const seed = randomBytes(12).toString('hex')
  const fresh = (name: string) => `a1${letters(`${seed} ${name}`, 22)}`
  const names = ['ADMIN_PASSWORD', 'SECURITY_ANSWER', 'TOKEN', 'ACCOUNT_KEY'].map(name => `LANDFORM_${name}`)
  const environment = Object.fromEntries(names.map(name => [name, fresh(name)]))
  const license = fresh('license')
  const scan = scannerFor(
    Object.entries({ ...environment, license }).map(([name, value]) => ({ name, value })),
  )
  const foundIn = (text: string) => [
    ...new Set(scan(Buffer.from(text, 'latin1')).map(({ canary }) => canary)),
  ]
  return { environment, license, foundIn }
}

/** Every operation that sends a request to a site. */
export const operations = ['observe', 'configure', 'update', 'exportSite', 'deleteAll', 'signIn'] as const
export type Operation = (typeof operations)[number]

/** The site that an operation needs, and the pattern of its request. */
const facts: Readonly<Record<Operation, { readonly site: WorldOptions; readonly request: RegExp }>> = {
  observe: { site: { configured: true }, request: /^GET / },
  configure: { site: {}, request: /^POST .*\/configure$/ },
  update: { site: { configured: true }, request: /^POST .*\/config\/update$/ },
  exportSite: { site: { configured: true }, request: /^POST .*\/exportSite$/ },
  deleteAll: { site: { configured: true }, request: /^POST .*\/deleteAll$/ },
  signIn: { site: { fidelity: 'field' }, request: /^POST .*\/generateToken$/ },
}

/** The secret that an operation sends. */
export const secretOf: Readonly<Record<Operation, string | undefined>> = {
  observe: undefined,
  configure: 'LANDFORM_ADMIN_PASSWORD',
  update: 'LANDFORM_TOKEN',
  exportSite: 'LANDFORM_TOKEN',
  deleteAll: 'LANDFORM_TOKEN',
  signIn: 'LANDFORM_ADMIN_PASSWORD',
}

/** Tests whether a request is that of an operation, and not one of its polls. */
export function isRequestOf(operation: Operation, { method, path }: HeardRequest): boolean {
  return facts[operation].request.test(`${method} ${path}`)
}

/** A manifest with its own secrets and its own site. */
export interface Caller {
  readonly operation: Operation
  readonly folder: string
  readonly secrets: Canaries
  readonly housed: HousedSite
  /** Runs the command of the operation in this process. */
  call(url: string, environment?: Readonly<Record<string, string>>): Promise<Called>
  /** Builds the arguments of that command, for another process. */
  words(url: string): readonly string[]
}

export interface Called {
  readonly exitCode: number
  /** The whole output. */
  readonly said: string
}

/** Makes a caller. The manifest trusts the authority in addition to those of this machine. */
export async function aCaller(operation: Operation, house: HttpsHouse, authority?: string): Promise<Caller> {
  const folder = await temporaryFolder()
  const clock = virtualClock()
  const secrets = newCanaries()
  const begun = Date.now()
  // Virtual time plus real time, because a caller may run in another process.
  const now = () => clock.now() + Date.now() - begun
  const housed = house.add({ ...facts[operation].site, now, stageMs: 20 })
  const manifest = join(folder, 'site.yaml')
  mkdirSync(join(folder, 'licenses'))
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  writeFileSync(join(folder, 'licenses/site.json'), JSON.stringify({ license: secrets.license }))
  const signs = operation === 'signIn' ? 'signIn: { as: administrator }' : 'token: { env: LANDFORM_TOKEN }'
  const trust = authority === undefined ? '' : '\n    tls: { caFile: authority.pem }'
  writeFileSync(join(folder, 'authority.pem'), authority ?? '')
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const declared = text.replace('\nspec:\n', '\nspec:\n  state: file:.landform\n')
  writeFileSync(manifest, declared.replace(/token: .*/, `${signs}${trust}`))
  const words = (url: string) => wordsOf(operation, manifest, url)
  const caller: Caller = {
    operation,
    folder,
    secrets,
    housed,
    words,
    async call(url, environment = {}) {
      const host = { ...fakeHost({ environment: { ...secrets.environment, ...environment } }), clock }
      const exitCode = await run(words(url), host)
      return { exitCode, said: host.screen() }
    },
  }
  // A site grants tokens only to the account that it was configured with.
  if (operation === 'signIn') {
    await caller.call(`https://localhost:${house.port}${housed.path}`)
    // State belongs to an address, and the next call may use another one.
    rmSync(join(folder, '.landform'), { recursive: true, force: true })
  }
  housed.heard.length = 0
  return caller
}

function wordsOf(operation: Operation, manifest: string, url: string): readonly string[] {
  const to = [manifest, '--url', url]
  const roads = 'Roads.FeatureServer'
  switch (operation) {
    case 'observe':
      return ['status', ...to]
    case 'configure':
    case 'update':
    case 'signIn':
      return ['apply', ...to, '--yes', '--timeout', '30m']
    case 'exportSite':
      return ['export-site', ...to, '--location', '/backups', '--yes']
    case 'deleteAll':
      return ['webhooks', 'delete-all', roads, ...to, '--confirm', `${roads}@${new URL(url).host}`]
    default:
      return operation satisfies never
  }
}
