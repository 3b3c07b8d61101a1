import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { landformProgram } from './landform-program.js'
import { root } from './manifests.js'

/** One run of the shipped program, and what it took. */
export interface MeasuredRun {
  /** `null` when it had to be killed. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** Time of the processor, which others on a busy machine do not lengthen much. */
  readonly cpuMs: number
  readonly peakMegabytes: number
}

/** The peak since the program began; what the process was before, with the memory of its parent, does not count. */
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
  /** In place of the shipped one. */
  readonly program?: string
}

/** Runs `landform` as users do, for a minute at most: a limit for what hangs, for a busy machine is slow. */
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
