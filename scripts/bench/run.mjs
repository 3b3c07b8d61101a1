// Runs whole programs in turns, and measures them with their child processes.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** The folder of the measurements; removed at exit. */
export const folder = mkdtempSync(join(tmpdir(), 'landform-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const { NODE_EXTRA_CA_CERTS, CI, ...inherited } = process.env
/** The environment of the programs: the secrets of the manifests, and no `CI` unless a caller adds it. */
const environment = {
  ...inherited,
  XDG_STATE_HOME: join(folder, 'home'),
  LANDFORM_ADMIN_PASSWORD: 'Correct-horse-1',
  LANDFORM_SECURITY_ANSWER: 'lighthouse keeper',
  LANDFORM_TOKEN: 'token-of-the-bench',
}

/** Builds a command line of Landform. */
export const own = (...args) => [process.execPath, join(root, 'dist', 'bin', 'landform.cjs'), ...args]

/** Runs a program; throws unless it exits with one of `exitCodes`. */
export function run([program, ...args], { more = {}, exitCodes = [0], cwd = root } = {}) {
  const env = { ...environment, ...more }
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1e9,
  })
  if (!exitCodes.includes(status)) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`)
  return stderr.toString()
}

/** Returns the CPU time of all child processes that have ended, in milliseconds, with a resolution of 10 ms. */
function childCpuMs() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Runs programs in turns, after one round that warms the caches of the system, and returns their average CPU milliseconds. */
export function measureTurns(rounds, programs, more) {
  const spent = Object.fromEntries(programs.map(({ name }) => [name, 0]))
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round += 1)
    for (const { name, command, exitCodes } of programs) {
      const before = childCpuMs()
      run(command, { more, exitCodes })
      if (round >= 0) spent[name] += (childCpuMs() - before) / rounds
    }
  return spent
}

/** Measures a program of Node once: its CPU milliseconds, and its peak memory in megabytes. */
export function measureOnce([program, ...args], { more, exitCodes } = {}) {
  const tell = 'const {maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage()'
  const probe = `process.on('exit',()=>{${tell};process.stderr.write('\\n'+[maxRSS,userCPUTime+systemCPUTime])})`
  const preload = `data:text/javascript,${encodeURIComponent(probe)}`
  const told = run([program, '--import', preload, ...args], { more, exitCodes })
  const [kilobytes, microseconds] = told.split('\n').at(-1).split(',').map(Number)
  return { megabytes: kilobytes / 1024, cpuMs: microseconds / 1000 }
}

/** Starts an emulator, and calls `use` with the address of its first site. */
export function withEmulator(sites, use) {
  return withServer(own('emulate', '--sites', `${sites}`), use)
}

/** Starts a site with 50 warnings of this length, and calls `use` with its address. */
export function withWarnings(characters, use) {
  return withServer([process.execPath, '-e', `(${serveWarnings})(${characters})`], use)
}

/** Runs in a separate process. */
async function serveWarnings(characters) {
  const { createServer } = await import('node:http')
  const warnings = Array(50).fill('%41%42 YWJj &amp; '.repeat(Math.ceil(characters / 18)))
  const status = { state: 'in_progress', stages: [], warnings }
  const answer = JSON.stringify({ currentVersion: 11.2, resources: ['orgs'], status })
  const server = createServer((_, to) => to.end(answer)).listen(0, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${server.address().port}/admin`),
  )
}

/** Starts a server that prints its address, and stops it after `use`. */
async function withServer([program, ...args], use) {
  const server = spawn(program, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    for await (const line of createInterface({ input: server.stdout })) return await use(line.trim())
  } finally {
    server.kill()
  }
}
