import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseFaults } from '../../src/cli/emulator/emulator-options.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import type { World } from '../../src/emulator/service/world.js'
import { anEmulator } from './emulator.js'
import { temporaryFolder } from './temporary-folder.js'

/** Many sites in one emulator, and a folder with a manifest for each. */
export interface Fleet {
  readonly folder: string
  /** Paths of the manifests, in the order of the sites. */
  readonly files: readonly string[]
  readonly emulator: Emulator
  /** The counters of a site, by its number from 1. */
  counters(site: number): World['counters']
  /** Every request so far. */
  readonly served: readonly { readonly site: number; readonly operation: string; readonly at: number }[]
}

interface FleetOptions extends EmulatorOptions {
  /** Faults in the notation of `landform emulate --fault`. */
  readonly siteWords?: readonly string[]
  /** Edits of the manifest text, by the number of the site. */
  readonly changes?: ReadonlyMap<number, (text: string) => string>
}

/** Returns the name of a site and of its file, by its number from 1. */
export function siteName(site: number): string {
  return `site-${String(site).padStart(3, '0')}`
}

/** Starts `count` sites. */
export async function aFleet(count: number, options: FleetOptions = {}): Promise<Fleet> {
  const { siteWords = [], changes = new Map(), ...others } = options
  const served: Fleet['served'][number][] = []
  const emulator = await anEmulator({
    stageMs: 10,
    ...others,
    sites: count,
    siteFaults: parseFaults(siteWords, count).ofSites,
    inspect: ({ site, at, received }) =>
      served.push({ site: numberOf(site), at, operation: received.request.target.operation ?? '' }),
  })
  const { folder, files } = await manifestsOf(
    emulator.sites.map(({ url }) => url),
    changes,
  )
  return {
    folder,
    files,
    emulator,
    served,
    counters: site => (emulator.sites[site - 1] ?? emulator).world().counters,
  }
}

/** Writes a manifest for each address into a new folder. */
export async function manifestsOf(
  urls: readonly string[],
  changes: NonNullable<FleetOptions['changes']> = new Map(),
): Promise<Pick<Fleet, 'folder' | 'files'>> {
  const folder = await temporaryFolder()
  await cp('examples/licenses', join(folder, 'licenses'), { recursive: true })
  const text = await readFile('examples/quickstart.yaml', 'utf8')
  const files: string[] = []
  for (const [index, url] of urls.entries()) {
    const name = siteName(index + 1)
    const own = text.replace(/https:[^ ]*admin\b/, url).replace(/^ {2}name: .*/m, `  name: ${name}`)
    const file = join(folder, `${name}.yaml`)
    await writeFile(file, (changes.get(index + 1) ?? String)(own))
    files.push(file)
  }
  return { folder, files }
}

function numberOf(basePath: string): number {
  return Number(/^\/site-(\d+)\//.exec(basePath)?.[1] ?? 1)
}

/** A faulty site, and the expected result of a run. */
export interface FaultySite {
  readonly what: string
  readonly fault?: string
  readonly change?: (text: string) => string
  /** The exit codes of the first run and of a second one. */
  readonly exitCodes: readonly [first: number, again: number]
  /** The number of configurations that the site has accepted after both runs. */
  readonly accepted: 0 | 1
}

const always = (code: number): readonly [number, number] => [code, code]

/** Twenty sites, each with a different fault. */
export const faultySites: readonly FaultySite[] = [
  { what: 'a secret is missing', change: secretGone, exitCodes: always(66), accepted: 0 },
  { what: 'the manifest is not valid', change: cut, exitCodes: always(65), accepted: 0 },
  { what: 'the license is missing', change: licenseGone, exitCodes: always(66), accepted: 0 },
  { what: 'nothing listens', change: elsewhere, exitCodes: always(69), accepted: 0 },
  { what: 'polls get a web page', fault: 'root=html', exitCodes: always(77), accepted: 0 },
  {
    what: 'polls find the service unavailable',
    fault: 'root=status:503,empty',
    exitCodes: always(75),
    accepted: 0,
  },
  { what: 'polls require a token', fault: 'root=error:499', exitCodes: always(77), accepted: 0 },
  { what: 'polls are redirected', fault: 'root=redirect:302', exitCodes: always(77), accepted: 0 },
  { what: 'the first poll gets garbage', fault: 'root@1=garbage', exitCodes: [75, 0], accepted: 1 },
  { what: 'configure is lost', fault: 'configure=drop-before', exitCodes: always(4), accepted: 0 },
  { what: 'the answer is lost', fault: 'configure=drop-after', exitCodes: always(0), accepted: 1 },
  { what: 'the answer is cut off', fault: 'configure=truncate:20', exitCodes: always(0), accepted: 1 },
  { what: 'a stage fails', fault: 'site@Queue store=fail', exitCodes: always(5), accepted: 1 },
  { what: 'a stage never ends', fault: 'site@Queue store=stall', exitCodes: always(3), accepted: 1 },
  { what: 'the answer is a web page', fault: 'configure=html-after:502', exitCodes: always(0), accepted: 1 },
  { what: 'update is refused', fault: 'update=error:400', exitCodes: always(5), accepted: 1 },
  { what: 'update is lost', fault: 'update=drop-before', exitCodes: always(4), accepted: 1 },
  {
    what: 'a stage has another name',
    fault: 'site=rename:Queue store,to:Q',
    exitCodes: always(0),
    accepted: 1,
  },
  { what: 'configure is slow', fault: 'configure=delay:300ms', exitCodes: always(0), accepted: 1 },
  { what: 'the first update is rejected', fault: 'update@1=error:400', exitCodes: [5, 0], accepted: 1 },
]

function secretGone(text: string): string {
  return text.replace('LANDFORM_ADMIN_PASSWORD', 'LANDFORM_NOT_THERE')
}

function cut(text: string): string {
  return text.replace(/^ {2}license:.*\n/m, '')
}

function licenseGone(text: string): string {
  return text.replace('licenses/site.json', 'licenses/gone.json')
}

function elsewhere(text: string): string {
  return text.replace(/http:\/\/127\.0\.0\.1:\d+\//, 'http://127.0.0.1:9/')
}
