import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { manifestsOf } from '../../support/a-fleet.js'
import type { Certificate } from '../../support/certificate.js'
import { type PostgresServer, postgres } from '../../support/postgres.js'
import { someSecrets } from '../../support/some-secrets.js'
import { type Actor, startActor } from './actor.js'
import { type Service, type ServiceOptions, startService } from './service.js'

export interface StageOptions extends ServiceOptions {
  /** The certificate of a database with TLS, and the authority that its clients trust. */
  readonly tls?: { readonly certificate: Certificate; readonly authority: Certificate }
  /** Changes to manifests, by the number of their site. */
  readonly changes?: ReadonlyMap<number, (text: string) => string>
  /** Default: secrets that fit the rules of the service. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** A service with many sites, a manifest for each, a real database, and the processes of a fleet. */
export interface Stage {
  readonly folder: string
  readonly files: readonly string[]
  readonly service: Service
  readonly server: PostgresServer
  readonly connection: string
  /** The folder with the output of the processes. */
  readonly logs: string
  /** Starts `landform …` under a name, with another connection string if one is given. */
  start(name: string, words: readonly string[], database?: string): Actor
  run(words: readonly string[]): Promise<{ readonly code: number | NodeJS.Signals; readonly printed: string }>
  rows<T>(sql: string, values?: readonly unknown[]): Promise<readonly T[]>
  /** The warnings of Node.js so far, with the names of their processes. */
  warnings(): Promise<readonly string[]>
  isOpen(): boolean
  close(): Promise<void>
}

/** Sets up a stage. The caller must close it; processes that remain when this one exits are killed. */
export async function aStage({
  changes,
  secrets = someSecrets,
  tls,
  ...options
}: StageOptions): Promise<Stage> {
  const wishes = tls && { certificate: tls.certificate, settings: ['log_connections=on'] }
  const [service, server] = await Promise.all([
    startService(options),
    postgres({ isDurable: true, ...wishes }),
  ])
  const plain = await server.freshDatabase()
  const { folder, files } = await manifestsOf(service.urls, changes)
  const logs = `${folder}-logs`
  await mkdir(logs)
  const authority = join(logs, 'authority.pem')
  if (tls !== undefined) await writeFile(authority, tls.authority.cert)
  const connection = tls === undefined ? plain : `${plain}?sslmode=verify-full&sslrootcert=${authority}`
  const actors: Actor[] = []
  let isOpen = true
  const endAll = () => {
    for (const actor of actors) actor.signal('SIGKILL')
  }
  process.on('exit', endAll)
  const start = (name: string, words: readonly string[], database = connection) => {
    const environment = { ...secrets, LANDFORM_DATABASE_URL: database }
    const logFile = join(logs, `${actors.length}-${name}.log`)
    const actor = startActor({ name, folder, environment, words, logFile })
    actors.push(actor)
    return actor
  }
  return {
    folder,
    files,
    service,
    server,
    connection,
    logs,
    start,
    async run(words) {
      const actor = start('cli', words)
      return { code: await actor.ended, printed: await actor.printed() }
    },
    rows: (sql, values = []) => asked(plain, sql, values),
    async warnings() {
      const all = await Promise.all(
        actors.map(async actor => (await actor.warnings()).map(line => `${actor.name}: ${line}`)),
      )
      return all.flat()
    },
    isOpen: () => isOpen,
    async close() {
      isOpen = false
      process.off('exit', endAll)
      endAll()
      await Promise.all(actors.map(({ ended }) => ended))
      await Promise.all([service.close(), server.stop()])
      await Promise.all([folder, logs].map(one => rm(one, { recursive: true, force: true })))
    },
  }
}

/** Uses a new connection each time, because the server may end at any time. */
async function asked<T>(
  connectionString: string,
  sql: string,
  values: readonly unknown[],
): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString, application_name: 'stage' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows as T[]
  } finally {
    await client.end()
  }
}
