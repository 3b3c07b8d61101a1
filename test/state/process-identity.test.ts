import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Holder } from '../../src/plan/submission.js'
import { liveness, thisProcess } from '../../src/state/process-identity.js'
import { deadPid } from '../support/processes.js'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** The identity module is asked in another process, which then stays until it is killed. */
async function another(): Promise<{ readonly holder: Holder; readonly child: ChildProcess }> {
  const module = new URL('../../src/state/process-identity.js', import.meta.url).href
  const script = `import(${JSON.stringify(module)}).then(async m => { console.log(JSON.stringify(await m.thisProcess())); setInterval(() => {}, 1000) })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return { holder: JSON.parse(line.toString()) as Holder, child }
}

const onLinux = process.platform === 'linux' ? describe : describe.skip

test('this process is alive, and knows where it runs', async () => {
  const self = await thisProcess()
  expect(self).toMatchObject({ host: hostname(), pid: process.pid })
  expect(await liveness(self)).toBe('alive')
})

test('a process is dead once it was killed', async () => {
  const { holder, child } = await another()
  expect(holder.pid).toBe(child.pid)
  expect(await liveness(holder)).toBe('alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await liveness(holder)).toBe('dead')
})

test('of another host nothing can be told', async () => {
  const self = await thisProcess()
  expect(await liveness({ ...self, host: `not-${self.host}` })).toBe('elsewhere')
  expect(await liveness({ ...self, host: `not-${self.host}`, pid: await deadPid() })).toBe('elsewhere')
})

test('where only the number is known, a living process is never called dead', async () => {
  const { host, pid } = await thisProcess()
  expect(await liveness({ host, pid })).not.toBe('dead')
})

onLinux('on Linux', () => {
  test('a process says when it started, on which run of the machine, and among which processes', async () => {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    const self = await thisProcess()
    expect(self).toMatchObject({ boot, startedAt: expect.stringMatching(/^\d+$/) })
    expect(self.namespace).toMatch(/^(?:machine:[0-9a-f]{16}|pid:\[\d+\])$/)
    const machine = await readFile('/etc/machine-id', 'utf8').catch(() => 'none')
    expect(JSON.stringify(self)).not.toContain(machine.trim() || 'none')
  })

  test('a stopped process is alive', async () => {
    const { holder, child } = await another()
    child.kill('SIGSTOP')
    expect(await liveness(holder)).toBe('alive')
  })

  test('a process that ended and was not waited for is dead', async () => {
    // The shell leaves its child unwaited for and becomes a program that knows nothing of it; only then may the child end.
    const child = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 1000 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    children.push(child)
    const [line] = (await once(child.stdout as Readable, 'data')) as [Buffer]
    const pid = Number(line.toString())
    while ((await readFile(`/proc/${child.pid}/comm`, 'utf8')) !== 'sleep\n');
    ;(child.stdio[3] as Writable).end()
    let stat = ''
    while (!/\) Z /.test(stat)) stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const startedAt = stat.slice(stat.lastIndexOf(')')).split(' ')[20] ?? ''
    expect(await liveness({ ...(await thisProcess()), pid, startedAt })).toBe('dead')
  })

  test('a number that was given to another process is of a dead one', async () => {
    const self = await thisProcess()
    expect(await liveness({ ...self, startedAt: `${Number(self.startedAt) - 1}` })).toBe('dead')
  })

  test.each<[string, Partial<Holder>]>([
    ['a container with the same host name', { namespace: 'pid:[4026532999]' }],
    ['another machine with the same host name', { namespace: 'machine:0123456789abcdef' }],
  ])('of %s nothing can be told', async (_what, changes) => {
    const self = await thisProcess()
    expect(await liveness({ ...self, ...changes })).toBe('elsewhere')
    expect(await liveness({ ...self, ...changes, pid: await deadPid() })).toBe('elsewhere')
  })

  test('before the machine was started anew every process is dead, and of a container nothing can be told', async () => {
    const self = await thisProcess()
    const before = { ...self, boot: '00000000-0000-0000-0000-000000000000' }
    expect(await liveness(before)).toBe(self.namespace?.startsWith('machine:') ? 'dead' : 'elsewhere')
  })
})
