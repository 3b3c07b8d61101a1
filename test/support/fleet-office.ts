import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewRun } from '../../packages/fleet/src/database/add-runs.js'
import { type Database, openDatabase } from '../../packages/fleet/src/database/database.js'
import type { Row } from '../../packages/fleet/src/database/database-error.js'
import { createFleetStore, type FleetStore } from '../../packages/fleet/src/database/fleet-store.js'
import type { Rollout, Run, RunEnd, RunKey } from '../../packages/fleet/src/model/run.js'
import type { Host } from '../../src/cli/host.js'
import { type ExitCode, exitCodes, isUsageError } from '../../src/report/exit-code.js'
import { type FakeHost, type FakeHostOptions, fakeHost } from './fake-host.js'
import { describeDatabase, postgres } from './postgres.js'
import { argumentsIn } from './read-line.js'
import { temporaryFolder } from './temporary-folder.js'

/** The result of a command. */
interface Told {
  readonly exitCode: ExitCode
  readonly out: string
  readonly err: string
}

/** Reads a run of any generation. */
export async function findRun(store: FleetStore, { site, generation }: RunKey): Promise<Run | undefined> {
  const runs = await store.runs({ sites: [site], generations: 'all' })
  return runs.find(run => run.generation === generation)
}

/** The test environment of fleet commands: a database and an empty working folder. */
interface FleetOffice {
  /** The connection string of the database. */
  readonly connection: string
  readonly database: Database
  readonly store: FleetStore
  readonly folder: string
  sql(text: string): Promise<readonly Row[]>
  rollout(id: string): Promise<Rollout | undefined>
  setRollout(id: string, to: Pick<Rollout, 'wave' | 'state'>): Promise<void>
  /** Ends a run that no worker has started. */
  end(of: RunKey, end: RunEnd): Promise<void>
  /** Submits sites as one rollout: a list of sites for each wave. */
  submit(rollout: string, waves: readonly (readonly string[])[]): Promise<void>
  /** Runs a command line as `landform fleet` does. */
  ask(line: string, options?: AskOptions): Promise<Told>
  /** Restores the former working folder, and closes the database connection. */
  close(): Promise<void>
}

interface AskOptions extends FakeHostOptions {
  /** Called before each sleep, with the number of sleeps so far. */
  onSleep?(count: number, host: FakeHost): Promise<void>
}

type RunCommand = (argv: never, host: Host) => Promise<ExitCode>

type OfficeCommands = Readonly<Record<string, RunCommand>>

/** Empties the tables of a database, and makes a new folder the working folder. */
async function fleetOffice(connection: string, commands: OfficeCommands): Promise<FleetOffice> {
  const database = openDatabase(connection)
  await database.rows(
    'truncate landform.run, landform.rollout, landform.event, landform.state, landform.session, landform.hold',
  )
  const folder = await temporaryFolder()
  const before = process.cwd()
  process.chdir(folder)
  const store = createFleetStore(database)
  return {
    connection,
    database,
    store,
    folder,
    sql: text => database.rows(text),
    rollout: async id => (await store.rollouts()).find(one => one.id === id),
    async setRollout(id, { wave, state }) {
      await database.rows('update landform.rollout set wave = $2, state = $3 where id = $1', [
        id,
        wave,
        state,
      ])
    },
    async end(run, end) {
      const assign = (state: string, worker: string | undefined) =>
        database.rows('update landform.run set state = $3, worker = $4 where site = $1 and generation = $2', [
          run.site,
          run.generation,
          state,
          worker,
        ])
      await assign('running', 'w')
      await store.end(run, 'w', end)
      await assign(end.state, undefined)
    },
    async submit(id, waves) {
      const runs = waves.flatMap((names, at) => names.map(name => ({ ...anOrder(name), wave: at + 1 })))
      const rollout = { id, submittedBy: 'ada@ci-17', keepsGoing: false }
      await store.submit(rollout, runs)
    },
    async ask(line, { onSleep, ...options } = {}) {
      const environment = { LANDFORM_DATABASE_URL: connection, ...options.environment }
      const told = fakeHost({ ...options, environment })
      let sleeps = 0
      const sleep: Host['clock']['sleep'] = async (milliseconds, signal) => {
        sleeps += 1
        await onSleep?.(sleeps, told)
        await told.clock.sleep(milliseconds, signal)
      }
      const host = { ...told, clock: { ...told.clock, sleep } }
      const [name = '', ...words] = line.split(' ').filter(word => word !== '')
      const run = commands[name]
      if (run === undefined) throw new Error(`unknown command ${name}`)
      const exitCode = await ended(host, () => run(argumentsIn(['fleet', name, ...words]) as never, host))
      return { exitCode, out: told.out(), err: told.err() }
    },
    async close() {
      process.chdir(before)
      await database.close()
    },
  }
}

/** Like `describe`, with a new office for each test over one database for all of them. */
export function describeOffice(
  name: string,
  commands: OfficeCommands,
  define: (office: FleetOffice) => void,
): void {
  const start = async () => ({ connection: await (await postgres()).freshDatabase() })
  describeDatabase(name, start, database => {
    const office = {} as FleetOffice
    beforeEach(async () => void Object.assign(office, await fleetOffice(database.connection, commands)))
    afterEach(() => office.close())
    define(office)
  })
}

/** Returns the run to submit for a site. */
export function anOrder(name: string): NewRun {
  const digest = `sha256:${'0'.repeat(64)}`
  return {
    site: urlOf(name),
    name,
    manifest: `${name}.yaml`,
    digest,
    wave: 1,
    priority: 100,
    timeoutMs: 60_000,
  }
}

/** The address of a site by its name. */
export const urlOf = (name: string) => `https://${name}.example.org/admin`

const quickstart = readFile('examples/quickstart.yaml', 'utf8')

/** Writes a manifest named after each site. A name may start with a folder. */
export async function writeManifests(folder: string, names: readonly string[]): Promise<void> {
  const text = await quickstart
  for (const name of names) {
    const own = text
      .replace(/url: https:\S*/, `url: ${urlOf(name)}`)
      .replace(/^ {2}name: .*/m, `  name: ${name}`)
    await writeFile(join(folder, `${name}.yaml`), own)
  }
}

async function ended(host: Host, run: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await run()
  } catch (error) {
    if (!isUsageError(error)) throw error
    host.stderr.write(`error: ${error.message}\n`)
    return exitCodes.usage
  }
}
