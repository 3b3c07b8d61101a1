import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { landformProgram } from './landform-program.js'
import { root } from './manifests.js'

/** A run of the built program, with its use of resources. */
export interface MeasuredRun {
  /** `null` if it was killed. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** CPU time, which hardly depends on the load of the machine. */
  readonly cpuMs: number
  readonly peakMegabytes: number
}

/** Measures the peak memory of the program. `maxRSS` would include memory of the parent process before `exec`. */
const measure = `
  import { readFileSync, writeFileSync } from 'node:fs'
  process.on('exit', () => {
    let kilobytes = process.resourceUsage().maxRSS
    try { kilobytes = Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) } catch {}
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(process.env.MEASURED, JSON.stringify([(userCPUTime + systemCPUTime) / 1000, kilobytes / 1024]))
  })`

const measuring = `data:text/javascript,${encodeURIComponent(measure)}`

interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>
  /** Default: the built program. */
  readonly program?: string
}

/** Runs `landform` as users do. The limit of a minute ends runs that hang; a busy machine may be slow. */
export function measuredRun(
  args: readonly string[],
  input?: string,
  { environment = {}, program = landformProgram }: Surroundings = {},
): MeasuredRun {
  const folder = mkdtempSync(join(tmpdir(), 'landform-measured-'))
  const measured = join(folder, 'measured')
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', measuring, program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, ...environment, MEASURED: measured },
    input: input ?? '',
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  })
  const [cpuMs = Number.POSITIVE_INFINITY, peakMegabytes = Number.POSITIVE_INFINITY]: readonly number[] =
    status === null ? [] : JSON.parse(readFileSync(measured, 'utf8'))
  rmSync(folder, { recursive: true })
  return { status, stdout, stderr, cpuMs, peakMegabytes }
}
