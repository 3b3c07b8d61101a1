import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { stopEmulator } from '../../../src/emulator/stop.js'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const programs = join(root, 'test', 'system', 'docs', 'programs')
const timeoutMs = 240_000

/** The terminal of one reader: an empty folder, and what earlier commands exported. It ends what they left running. */
export interface Terminal {
  /** Writes a file below the folder that the reader is in. */
  write(name: string, text: string): void
  run(commands: string): Promise<{ readonly exit: number; readonly printed: string }>
  /** Goes to a new empty folder of the same home. */
  begin(): void
  /** Lists what is in the home and should not: emulators that run, open intents, and what `install.md` does not name. */
  leftovers(): readonly string[]
  close(): Promise<void>
}

/** The program on the path, and stand-ins for those of others, which are not here. */
const rehearsed: Surroundings = {
  path: [programs],
  environment: {
    GIT_CONFIG_GLOBAL: join(programs, 'gitconfig'),
    PROJECT: root,
    // Where it is not on the path.
    LANDFORM_KUBE_APISERVER: process.env['LANDFORM_KUBE_APISERVER'] ?? '',
  },
}

/** The names in a home that are of this terminal, of Landform, and of npm. */
const expectedNames = [
  'sites',
  'landform',
  ...['.folder', '.script', '.printed', '.kept', '.local', '.npm', '.database', '.cluster', '.kube'],
]

export interface Surroundings {
  /** The folders of programs that come before those of the machine. */
  readonly path: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Opens one; nothing of the environment of the tests is in it, such as a proxy, a token or the mark of a CI system. */
export async function openTerminal({ path, environment } = rehearsed): Promise<Terminal> {
  const home = await temporaryFolder()
  const folder = join(home, 'sites')
  mkdirSync(folder)
  const current = join(home, '.folder')
  writeFileSync(current, folder)
  if (environment['PROJECT'] !== undefined) symlinkSync(environment['PROJECT'], join(home, 'landform'))
  const started: number[] = []
  let days = 0
  const ports = new Set<number>()
  const env = {
    PATH: [...path, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    TERMINAL: home,
    ...environment,
  }
  return {
    write(name, text) {
      const file = join(readFileSync(current, 'utf8').trim(), name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    async run(commands) {
      const script = join(home, '.script')
      const printed = join(home, '.printed')
      writeFileSync(script, commands)
      const output = openSync(printed, 'w')
      const args = ['-e', join(programs, 'terminal.bash'), script]
      const options = { cwd: folder, env, detached: true } as const
      const child = spawn('bash', args, { ...options, stdio: ['ignore', output, output] })
      started.push(child.pid ?? 0)
      const timer = setTimeout(() => end(child.pid), timeoutMs)
      const [code] = await once(child, 'exit')
      clearTimeout(timer)
      const text = readFileSync(printed, 'utf8')
      for (const [, port] of text.matchAll(/landform emulate --port (\d+) --stop/g)) ports.add(Number(port))
      return { exit: code ?? -1, printed: text.replaceAll(home, '/home/you') }
    },
    begin() {
      days += 1
      const next = join(folder, `day-${days}`)
      mkdirSync(next)
      writeFileSync(current, next)
    },
    leftovers() {
      const kept = join(home, '.local', 'state', 'landform')
      const notes = existsSync(kept) ? readdirSync(kept, { recursive: true, encoding: 'utf8' }) : []
      const others = readdirSync(home).filter(name => !expectedNames.includes(name))
      return [...notes.filter(name => name.endsWith('.json')), ...others]
    },
    async close() {
      for (const pid of started) end(pid)
      await Promise.all([...ports].map(stopEmulator))
    },
  }
}

/** Ends a command with all that it started; there may be nothing left of it. */
function end(pid: number | undefined): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
}
