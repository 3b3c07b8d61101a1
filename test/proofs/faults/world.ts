import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { type FakeHost, fakeHost } from '../../support/fake-host.js'
import { bareRepository, git } from '../../support/git-repositories.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { virtualClock } from '../../support/virtual-clock.js'
import type { Cell, FaultOperation } from './fault-table.js'

/** A site, its manifest and its state, which a fault may change. */
export interface World {
  readonly folder: string
  readonly manifest: string
  readonly emulator: Emulator
  readonly clock: FakeHost['clock'] & { pass(milliseconds: number): void }
  /** The folder of state in files. */
  readonly kept: string
  url: string
  /** The argument of apply: the manifest, or a plan. */
  file: string
  state: string
  service: string
  environment: Record<string, string>
  /** The number of runs that start at once. */
  runs: number
  /** Called with the path of each request, and the host of the run. */
  onRequest: (path: string, host: FakeHost) => void
  /** Removes a fault that only the first run must meet. */
  repair: () => void
}

export interface Ran {
  readonly operation: FaultOperation
  readonly exitCode: number
  readonly out: string
  readonly err: string
  /** The JSON report, if the run wrote one. */
  readonly report?: Readonly<Record<string, unknown>>
}

export interface Place {
  readonly fidelity: 'document' | 'field'
  readonly keeps: 'file' | 'git'
  readonly secrets?: Readonly<Record<keyof typeof someSecrets, string>>
}

interface Time {
  readonly clock: World['clock']
  readonly stageMs: number
}

/** Creates a site with the faults of a cell. */
export async function makeWorld(
  { by, configured, faults = [] }: Pick<Cell, 'by'> & Partial<Pick<Cell, 'configured' | 'faults'>>,
  { fidelity, keeps, secrets = someSecrets }: Place,
  { clock = virtualClock(), stageMs = 60_000 }: Partial<Time> = {},
): Promise<World> {
  const folder = await temporaryFolder()
  let host: FakeHost | undefined
  const options: EmulatorOptions = {
    now: clock.now,
    wait: clock.sleep,
    stageMs,
    fidelity,
    ...(fidelity === 'field' && { token: secrets.LANDFORM_TOKEN }),
    faults: parseBuiltInRules([...(typeof by === 'string' ? [] : by), ...faults]),
    ...(configured === true && { configured }),
    inspect: ({ received }) => host !== undefined && world.onRequest(received.path, host),
  }
  const emulator = await startEmulator(options)
  mkdirSync(join(folder, 'licenses'))
  for (const file of ['licenses/site.json', 'quickstart.yaml'])
    cpSync(join('examples', file), join(folder, file))
  const bare = keeps === 'git' ? await bareRepository() : undefined
  if (bare !== undefined) git(folder, 'init', '--quiet')
  const manifest = join(folder, 'quickstart.yaml')
  const kept = join(folder, 'kept')
  const world: World = {
    folder,
    manifest,
    emulator,
    clock,
    kept,
    url: emulator.url,
    file: manifest,
    state: bare === undefined ? `file:${kept}` : `git:${bare}`,
    service: 'Roads.FeatureServer',
    environment: { ...secrets },
    runs: 1,
    onRequest: () => undefined,
    repair: () => undefined,
  }
  hosts.set(world, environment => {
    host = { ...fakeHost({ environment }), clock }
    return host
  })
  return world
}

const hosts = new WeakMap<World, (environment: Record<string, string>) => FakeHost>()

export async function runCommand(world: World, words: readonly string[]): Promise<Omit<Ran, 'operation'>> {
  const host = hosts.get(world)?.(world.environment) ?? fakeHost()
  const exitCode = await run(words, host)
  return { exitCode, out: host.out(), err: host.err() }
}

export async function runOperation(world: World, operation: FaultOperation): Promise<Ran> {
  reports += 1
  const report = join(world.folder, `report-${reports}.json`)
  const words = [...wordsOf(world, operation), '--format', `json=${report}`]
  return {
    operation,
    ...(await runCommand(world, words)),
    ...(existsSync(report) && { report: JSON.parse(readFileSync(report, 'utf8')) }),
  }
}

let reports = 0

/** The wait options of an apply. Real processes use shorter ones. */
export const waits = { timeout: '30m', pollInterval: '30s' } as const

const waitOptions = ['--timeout', waits.timeout, '--poll-interval', waits.pollInterval]

/** Builds the command line of an operation. */
export function wordsOf(
  { file, manifest, service, url, state }: World,
  operation: FaultOperation,
): readonly string[] {
  const site = ['--url', url]
  const kept = ['--state', state]
  switch (operation) {
    case 'apply':
    case 'update':
      return ['apply', file, '--yes', ...site, ...kept, ...waitOptions]
    case 'plan':
    case 'status':
      return [operation, manifest, ...site, ...kept]
    case 'exportSite':
      return ['export-site', manifest, '--location', '/backups', '--yes', ...site]
    case 'deleteAll':
      return [
        'webhooks',
        'delete-all',
        service,
        manifest,
        '--confirm',
        `${service}@${new URL(url).host}`,
        ...site,
      ]
    default:
      return operation satisfies never
  }
}
