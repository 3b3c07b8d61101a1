import { spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../support/http-double.js'
import { runsHere } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const program = '/usr/sbin/pgbouncer'

/** True if PgBouncer is installed where Debian installs it. */
export const hasPgBouncer = await runsHere([program, '--version'])

interface PgBouncer {
  /** The connection string of the database by way of PgBouncer. */
  readonly connection: string
  stop(): Promise<void>
}

/** Starts PgBouncer in front of a PostgreSQL server, with additional settings. */
export async function pgBouncer(connection: string, settings: readonly string[]): Promise<PgBouncer> {
  const { username, password, hostname, port, pathname } = new URL(connection)
  const folder = await temporaryFolder()
  const own = await freePort()
  const database = pathname.slice(1)
  const users = join(folder, 'users.txt')
  const configuration = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o644 })
  const lines = [
    '[databases]',
    `${database} = host=${hostname} port=${port} dbname=${database}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    ...settings,
  ]
  await writeFile(configuration, `${lines.join('\n')}\n`, { mode: 0o644 })
  // PgBouncer refuses to run as root.
  const words = process.getuid?.() === 0 ? ['-u', 'nobody', configuration] : [configuration]
  if (process.getuid?.() === 0) await chmod(folder, 0o755)
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const isReady = await new Promise<boolean>(resolve => {
    child.once('close', () => resolve(false)).once('error', () => resolve(false))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.push(text)
      if (text.includes('process up')) resolve(true)
    })
  })
  if (!isReady) throw new Error(said.join(''))
  const through = new URL(connection)
  through.port = String(own)
  return {
    connection: through.href,
    stop() {
      child.kill('SIGKILL')
      return closed
    },
  }
}
