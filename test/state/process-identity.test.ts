import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Holder } from '../../src/plan/submission.js'
import { liveness, type ProcessTable, thisProcess } from '../../src/state/machine.js'
import { deadPid } from '../support/processes.js'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Reads the identity of another process, which then runs until it is killed. */
async function another(): Promise<{ readonly holder: Holder; readonly child: ChildProcess }> {
  const module = new URL('../../src/state/machine.js', import.meta.url).href
  const script = `import(${JSON.stringify(module)}).then(async m => { console.log(JSON.stringify(await m.thisProcess())); setInterval(() => {}, 1000) })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  return { holder: JSON.parse(line.toString()) as Holder, child }
}

const onLinux = process.platform === 'linux' ? describe : describe.skip

test('this process is alive, and knows its host', async () => {
  const self = await thisProcess()
  expect(self).toMatchObject({ host: hostname(), pid: process.pid })
  expect(await liveness(self)).toBe('alive')
})

test('a process that was killed is dead', async () => {
  const { holder, child } = await another()
  expect(holder.pid).toBe(child.pid)
  expect(await liveness(holder)).toBe('alive')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await liveness(holder)).toBe('dead')
})

test('a process on another host is unknown', async () => {
  const self = await thisProcess()
  expect(await liveness({ ...self, host: `not-${self.host}` })).toBe('elsewhere')
  expect(await liveness({ ...self, host: `not-${self.host}`, pid: deadPid })).toBe('elsewhere')
})

test('if only the pid is known, a living process never counts as dead', async () => {
  const { host, pid } = await thisProcess()
  expect(await liveness({ host, pid })).not.toBe('dead')
})

onLinux('on Linux', () => {
  test('the identity has the start of the process, the boot of the machine and the PID namespace', async () => {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    const self = await thisProcess()
    expect(self).toMatchObject({ boot, startedAt: expect.stringMatching(/^\d+$/) })
    expect(self.namespace).toMatch(/^pid:\[\d+\]$/)
    const machine = await readFile('/etc/machine-id', 'utf8').catch(() => 'none')
    expect(JSON.stringify(self)).not.toContain(machine.trim() || 'none')
  })

  test('a stopped process is alive', async () => {
    const { holder, child } = await another()
    child.kill('SIGSTOP')
    expect(await liveness(holder)).toBe('alive')
  })

  test('a process that has ended without being waited for is dead', async () => {
    // The shell does not wait for its child, and is replaced by a program that does not know it; then the child may
    // end.
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

  test('a pid that another process has now belongs to a dead one', async () => {
    const self = await thisProcess()
    expect(await liveness({ ...self, startedAt: `${Number(self.startedAt) - 1}` })).toBe('dead')
  })
})

/** A host where the system reports everything, and a process on it that has ended. */
const place = { host: 'runner', machine: '0123456789abcdef', boot: 'boot-1', namespace: 'pid:[4026531836]' }
const gone: Holder = { ...place, pid: 7, startedAt: '700' }

/** The process table that another process sees; by default only the pid 1 exists. */
function tableOf(self: Partial<Holder>, changes: Partial<ProcessTable> = {}): ProcessTable {
  const own: Holder = { host: 'runner', pid: 1, ...self }
  const stat: ProcessTable['stat'] = async pid => ({ pid, startedAt: '100', state: 'S' })
  return { self: async () => own, isThere: pid => pid === 1, stat, ...changes }
}

const here = { ...place, startedAt: '100' }

test('a process is gone if pid, start, boot, PID namespace and machine agree and it does not exist', async () => {
  expect(await liveness(gone, tableOf(here))).toBe('dead')
  const reused: ProcessTable = tableOf(here, { isThere: () => true })
  expect(await liveness(gone, reused)).toBe('dead')
  expect(await liveness({ ...gone, startedAt: '100' }, reused)).toBe('alive')
})

test.each<[string, Partial<Holder>]>([
  ['another host', { host: 'another' }],
  ['a container of this machine', { namespace: 'pid:[4026532999]' }],
  ['another machine of the same name', { machine: 'fedcba9876543210' }],
  ['a clone of this machine, or this one before it was restarted', { boot: 'boot-2' }],
  ['a container of another boot', { boot: 'boot-2', namespace: 'pid:[4026532999]' }],
])('from %s a process that is not visible does not count as gone', async (_, changes) => {
  expect(await liveness(gone, tableOf({ ...here, ...changes }))).toBe('elsewhere')
  expect(await liveness({ ...gone, ...changes }, tableOf(here))).toBe('elsewhere')
})

test.each(['machine', 'boot', 'namespace', 'startedAt'] as const)(
  'a record without its %s never counts as a process that is gone',
  async fact => {
    const { [fact]: _, ...less } = gone
    expect(await liveness(less as Holder, tableOf(here))).toBe('elsewhere')
    const { [fact]: _own, ...own } = here
    expect(await liveness(less as Holder, tableOf(own))).toBe('elsewhere')
  },
)

test('two containers that know only host and pid never consider each other gone', async () => {
  expect(await liveness({ host: 'runner', pid: 7 }, tableOf({}))).toBe('elsewhere')
})

test('a process that does not know when it started does not compare the starts of others', async () => {
  const table = tableOf({}, { isThere: () => true })
  expect(await liveness({ host: 'runner', pid: 7 }, table)).toBe('alive')
})
