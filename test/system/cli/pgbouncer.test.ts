import { exitCodes } from '../../../src/report/exit-code.js'
import { anEmulator } from '../../support/emulator.js'
import { writeExample } from '../../support/example-copy.js'
import { landform } from '../../support/landform.js'
import { type PostgresServer, postgres, postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { someSecrets } from '../../support/some-secrets.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'
import { hasPgBouncer, pgBouncer } from './pgbouncer.js'

const ignoring = 'ignore_startup_parameters = idle_in_transaction_session_timeout'

describeWhere(postgresIsHere && hasPgBouncer, `pgbouncer and ${postgresPackages}`)(
  'state in PostgreSQL behind PgBouncer',
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await postgres()
    })

    test.each<[string, readonly string[], (connection: string) => string]>([
      ...['session', 'transaction', 'statement'].flatMap(mode =>
        [[], [ignoring]].map((more): [string, readonly string[], (connection: string) => string] => [
          `pool_mode ${mode}${more.length > 0 ? ', start-up parameters ignored' : ''}`,
          [`pool_mode = ${mode}`, ...more],
          connection => connection,
        ]),
      ),
      [
        'a wrong password',
        ['pool_mode = session', ignoring],
        connection => connection.replace(server.password, 'canary'),
      ],
      [
        'a database that it does not have',
        ['pool_mode = session', ignoring],
        connection => `${connection}_not`,
      ],
    ])('%s: 74 with the pooler and the remedy, and nothing is sent', async (_, settings, change) => {
      const emulator = await anEmulator({ stageMs: 0 })
      const bouncer = await pgBouncer(await server.freshDatabase(), settings)
      try {
        const environment = { ...someSecrets, LANDFORM_DATABASE_URL: change(bouncer.connection) }
        const state = 'postgres:env:LANDFORM_DATABASE_URL'
        const file = writeExample(await temporaryFolder(), { url: emulator.url, state })
        for (const words of [['plan'], ['apply', '--yes'], ['state', 'show']]) {
          const { exitCode, out, err } = await landform([...words, file], { environment })
          expect([exitCode, err]).toEqual([
            exitCodes.state,
            expect.stringContaining(
              'a pooler is between Landform and the server; connect to the server itself',
            ),
          ])
          expect(`${out}${err}`).not.toMatch(new RegExp(`canary|${server.password}`))
        }
        expect(emulator.world().counters.configure.received).toBe(0)
      } finally {
        await bouncer.stop()
      }
    })
  },
)
