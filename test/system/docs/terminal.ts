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

/** The terminal of one reader. It keeps the folder and exported variables, and kills processes on close. */
export interface Terminal {
  /** Writes a file below the current folder. */
  write(name: string, text: string): void
  run(commands: string): Promise<{ readonly exit: number; readonly printed: string }>
  /** Changes to a new empty folder in the same home. */
  begin(): void
  /** Lists leftovers in the home: running emulators, open intents, and files that `install.md` does not name. */
  leftovers(): readonly string[]
  close(): Promise<void>
}

/** The built program on the PATH, and stand-ins for external programs. */
const rehearsed: Surroundings = {
  path: [programs],
  environment: {
    GIT_CONFIG_GLOBAL: join(programs, 'gitconfig'),
    PROJECT: root,
    // For a program that is not on the PATH.
    LANDFORM_KUBE_APISERVER: process.env['LANDFORM_KUBE_APISERVER'] ?? '',
  },
}

/** Names that this terminal, Landform and npm create in a home. */
const expectedNames = [
  'sites',
  'landform',
  ...['.folder', '.script', '.printed', '.kept', '.local', '.npm', '.database', '.cluster', '.kube'],
]

export interface Surroundings {
  /** Folders of programs that precede those of the machine. */
  readonly path: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Opens a terminal without variables of the tests' environment, such as a proxy, a token or `CI`. */
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

/** Kills a command with its process group, if it is still running. */
function end(pid: number | undefined): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {}
}
