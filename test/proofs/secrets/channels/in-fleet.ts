import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../support/http-double.js'
import { type PostgresServer, postgres } from '../../../support/postgres.js'
import { spellings } from '../../../support/spellings.js'
import { echoingSite, written } from './echoing.js'
import type { Scene } from './scene.js'

/** Settings that log every value of a statement. */
const settings = ['log_statement=all', 'log_parameter_max_length=-1', 'log_parameter_max_length_on_error=-1']

/**
 * Searches a fleet whose sites repeat everything that they received: the statements, tables and files of its database, the
 * output and the metrics of its worker, its page, and the output of its commands.
 */
export async function inFleet(scene: Scene): Promise<void> {
  const server = await postgres({ settings })
  const sites = await Promise.all(
    written.flatMap(name =>
      (['yes', 'no'] as const).map(says => echoingSite(scene.place.control.value, spellings[name], says)),
    ),
  )
  const urls = [scene.emulator.url, ...sites.map(({ url }) => url), 'http://127.0.0.1:9/admin']
  try {
    scene.issued.add(server.password)
    await played(scene, { server, urls, sites })
  } finally {
    await Promise.all([server.stop(), ...sites.map(site => site.close())])
  }
}

interface Stage {
  readonly server: PostgresServer
  readonly urls: readonly string[]
  readonly sites: readonly Awaited<ReturnType<typeof echoingSite>>[]
}

async function played(scene: Scene, { server, urls, sites }: Stage): Promise<void> {
  const { place, ledger, run } = scene
  const { control } = place
  const connection = await server.freshDatabase()
  const environment = { LANDFORM_DATABASE_URL: connection }
  const channel = 'the commands of a fleet'
  const fleet = async (...words: readonly string[]) => run(['fleet', ...words], { environment, channel })
  const files = urls.map((url, at) => named(scene, url, `${control.value}-${at}`))
  const submitted = await fleet('submit', ...files, '--yes', '--timeout', '10s')
  if (submitted !== 0) scene.report(`fleet submit ended with ${submitted}`)
  const port = await freePort()
  const options = ['--folder', place.folder, '--name', control.value, '--listen', `127.0.0.1:${port}`]
  const worker = (during: (child: ChildProcess) => Promise<void>) =>
    run(['fleet', 'worker', ...options, '--log', 'json'], {
      environment,
      channel: 'a worker of a fleet',
      during,
    })
  for (const site of sites) site.hold(true)
  await worker(async child => {
    const isUnderWay = () => sites.every(site => site.isConfigured())
    for (let looks = 0; looks < 400 && !isUnderWay(); looks += 1) await setTimeout(100)
    if (!isUnderWay()) scene.report('a worker sent nothing that the sites could repeat')
    child.kill('SIGKILL')
  })
  for (const site of sites) site.hold(false)
  // The next worker has not sent the secrets that the sites repeat.
  await worker(async child => {
    await allEnded(connection, files.length)
    await fleet('resume', '--failed', '--yes')
    await allEnded(connection, files.length)
    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    if (!figures.includes('landform_')) scene.report('a worker served no metrics')
    ledger.see('stdout of a worker of a fleet', figures)
    child.kill('SIGTERM')
  })
  await fleet('status')
  await fleet('status', '--format', 'json')
  for (const at of files.keys()) await fleet('history', `${control.value}-${at}`, '--verbose')
  await fleet('history', `${control.value}-1`, '--format', 'json')
  await run(['fleet', 'ui', '--listen', '127.0.0.1:0'], {
    environment,
    channel,
    during: child => pageOf(scene, child),
  })
  for (const wrong of wrongConnections(connection, server.password)) {
    const code = await run(['fleet', 'status'], { environment: { LANDFORM_DATABASE_URL: wrong }, channel })
    if (code === 0) scene.report('a wrong connection string was accepted')
  }
  const tables = await everyTable(connection)
  for (const { name, values } of tables) {
    ledger.see('tables of a fleet', name)
    for (const value of values) ledger.see('tables of a fleet', value)
  }
  if (tables.length < 10) scene.report(`only ${tables.length} tables were searched`)
  ledger.see('statements to a database', server.log())
}

async function pageOf({ ledger }: Scene, child: ChildProcess): Promise<void> {
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const { origin } = new URL(line.toString().trim())
  const fleet = await (await fetch(`${origin}/api/fleet`)).text()
  ledger.see('the page of a fleet', fleet)
  child.kill('SIGTERM')
}

/** Connection strings with the password at places that a message may quote. */
function wrongConnections(connection: string, password: string): readonly string[] {
  return [
    connection.replace(/:\d+\//, ':1/'),
    connection.replace('landform:', 'nobody:'),
    connection.replace(/\/[^/]*$/, '/nowhere'),
    connection.replace('://', ':/'),
    connection.replace(/:\d+\//, ':x/'),
    `host=127.0.0.1 password=${password}`,
    password,
  ]
}

function named({ place, reference }: Scene, url: string, name: string): string {
  const file = place.write(`${name}.yaml`, { url, token: reference('token') })
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {2}name: .*/m, `  name: ${name}`))
  return file
}

/** Waits until the newest run of each site has ended. */
async function allEnded(connectionString: string, sites: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  for (let looks = 0; looks < 400; looks += 1) {
    const { rows } = await client.query(
      `select count(*)::int as n from (select distinct on (site) state from landform.run order by site, generation desc) as run
       where state not in ('waiting', 'queued', 'running')`,
    )
    if (rows[0].n >= sites) break
    await setTimeout(100)
  }
  await client.end()
}

interface Table {
  readonly name: string
  /** Its values: bytes as they are, and others as text. */
  readonly values: readonly Buffer[]
}

/** Reads every table of a database, except those of PostgreSQL itself. */
async function everyTable(connectionString: string): Promise<readonly Table[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p', 'm', 'S') and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg_toast%'
       order by 1`,
    )
    const tables: Table[] = []
    for (const { name } of rows as readonly { readonly name: string }[]) {
      const found = await client.query({ text: `select * from ${name}`, rowMode: 'array' })
      const values = (found.rows as unknown[][]).flat().filter(value => value !== null)
      tables.push({ name, values: values.map(bytesOf) })
    }
    return tables
  } finally {
    await client.end()
  }
}

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}
