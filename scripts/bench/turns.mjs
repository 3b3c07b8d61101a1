// Runs whole programs turn by turn, so that what else the machine does falls on all of them.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { environment, found, root, said } from './surroundings.mjs'

/** Notes `NAME, ms` for each command and run, and `NAME, CPU ms` on average. The first round only warms the caches. */
export function turns(rounds, commands) {
  const spent = new Map()
  for (let round = -1; round < rounds; round += 1)
    for (const { name, command, exitCode = 0 } of commands) {
      const [program, ...args] = command
      const before = childCpuMs()
      const started = performance.now()
      const { status } = spawnSync(program, args, { cwd: root, env: environment, stdio: 'ignore' })
      const milliseconds = performance.now() - started
      if (status !== exitCode) throw new Error(`${name} ended with ${status}, not ${exitCode}`)
      if (round < 0) continue
      found(`${name}, ms`, milliseconds)
      spent.set(name, (spent.get(name) ?? 0) + childCpuMs() - before)
    }
  for (const [name, cpuMs] of spent) if (cpuMs > 0) found(`${name}, CPU ms`, cpuMs / rounds)
  said(`measured: ${commands.map(({ name }) => name).join('; ')}`)
}

/** CPU time of all child processes that this one waited for, as reported by Linux in ticks of 10 ms; nothing elsewhere. */
function childCpuMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}

/** Runs a process of ours and parses the JSON it prints. */
export function readJson([program, ...args]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout.toString())
}

/** Peak memory of a program that is Node, in MB, and its CPU time in milliseconds. */
export function usageOf([program, ...args]) {
  const tell = 'const {maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage()'
  const probe = `process.on('exit',()=>{${tell};process.stderr.write('\\n'+[maxRSS,userCPUTime+systemCPUTime])})`
  const preload = `data:text/javascript,${encodeURIComponent(probe)}`
  const { status, stderr } = spawnSync(program, ['--import', preload, ...args], {
    cwd: root,
    env: environment,
    maxBuffer: 100_000_000,
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  const [kilobytes, microseconds] = stderr.toString().split('\n').at(-1).split(',').map(Number)
  return { megabytes: kilobytes / 1024, cpuMs: microseconds / 1000 }
}

/** A process that serves while `use` runs; `use` gets the first line that it prints. */
export async function serving([program, ...args], use) {
  const server = spawn(program, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    for await (const line of createInterface({ input: server.stdout })) return await use(line)
    throw new Error(`${args[0]} did not start`)
  } finally {
    server.kill()
  }
}
