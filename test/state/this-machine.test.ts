import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { thisMachine } from '../../src/state/machine.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const real = { ...fs }

function restore(): void {
  Object.assign(fs, real)
  syncBuiltinESMExports()
}

function replace(calls: Partial<typeof fs>): void {
  Object.assign(fs, calls)
  syncBuiltinESMExports()
}

afterEach(async () => {
  restore()
  await removeTemporaryFolders()
})

function missing(): Error {
  return Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
}

/** The files and links that describe a system; one without a value is missing. */
type System = Readonly<Record<keyof typeof whole, string | undefined>>

const startedAt = '4242'
const statOf = (pid: number, state = 'S') =>
  `${pid} (a (strange) name) ${state} ${'0 '.repeat(18)}${startedAt} 0 0\n`

const whole = {
  '/proc/self/stat': statOf(process.pid),
  [`/proc/${process.pid}/stat`]: statOf(process.pid),
  '/proc/sys/kernel/random/boot_id': 'a-boot\n',
  '/proc/self/ns/pid': 'pid:[1]',
  '/proc/self/ns/time': 'time:[2]',
  '/etc/machine-id': ' a-machine\n',
}

/** Replaces what the system says about itself. */
function describeSystem(changes: Partial<System> = {}): void {
  const system: Readonly<Record<string, string | undefined>> = { ...whole, ...changes }
  const read =
    (otherwise: (path: string, ...more: readonly unknown[]) => unknown) =>
    async (path: string, ...more: readonly unknown[]) => {
      if (!Object.hasOwn(system, path)) return otherwise(path, ...more)
      const text = system[path]
      if (text === undefined) throw missing()
      return text
    }
  replace({
    readFile: read(real.readFile as never) as never,
    readlink: read(real.readlink as never) as never,
  })
}

let loads = 0

/** Loads the module as a new process does, which knows nothing of itself yet. */
async function newProcess(): Promise<typeof import('../../src/state/machine.js')> {
  loads += 1
  return import(`${new URL('../../src/state/machine.js', import.meta.url).href}?${loads}`)
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

const plain = { host: hostname(), pid: process.pid }
const known = { ...plain, startedAt, boot: 'a-boot', namespace: 'pid:[1]' }

test.each<[string, Partial<System>, object]>([
  ['all', {}, { ...known, machine: digestOf('landform a-machine') }],
  ['all but the machine', { '/etc/machine-id': undefined }, known],
  ['all but the machine, whose ID is empty', { '/etc/machine-id': '\n' }, known],
  ['only host and pid without a boot ID', { '/proc/sys/kernel/random/boot_id': undefined }, plain],
  ['only host and pid if the boot ID is empty', { '/proc/sys/kernel/random/boot_id': '\n' }, plain],
  ['only host and pid without a namespace', { '/proc/self/ns/pid': undefined }, plain],
  ['only host and pid without a process table', { '/proc/self/stat': undefined }, plain],
  [
    'only host and pid if the process table is that of the host of its container',
    { '/proc/self/stat': statOf(process.pid + 1) },
    plain,
  ],
  [
    'only host and pid if the process table does not say when it started',
    { '/proc/self/stat': `${process.pid} (name) S 0 0\n` },
    plain,
  ],
])('of itself, a process knows %s', async (_, changes, expected) => {
  describeSystem(changes)
  const { thisProcess } = await newProcess()
  expect(await thisProcess()).toStrictEqual(expected)
})

test('a process reads its identity until it is complete, and no longer', async () => {
  const { thisProcess } = await newProcess()
  describeSystem({ '/proc/self/ns/pid': undefined })
  expect(await thisProcess()).toStrictEqual(plain)
  describeSystem()
  const complete = await thisProcess()
  expect(complete).toMatchObject(known)
  describeSystem({ '/proc/self/ns/pid': 'pid:[9]' })
  expect(await thisProcess()).toBe(complete)
})

test.each<[string, Partial<System>, string | undefined]>([
  ['machine, boot and time namespace', {}, 'a-machine a-boot time:[2]'],
  [
    'machine and boot if there are no time namespaces',
    { '/proc/self/ns/time': undefined },
    'a-machine a-boot ',
  ],
  ['nothing without a machine ID', { '/etc/machine-id': undefined }, undefined],
  ['nothing without a boot ID', { '/proc/sys/kernel/random/boot_id': undefined }, undefined],
])('the clock of a machine is identified by %s', async (_, changes, expected) => {
  describeSystem(changes)
  const { machineTime } = await newProcess()
  const time = await machineTime()
  const [machine, ...others] = expected?.split(' ') ?? []
  const facts = [digestOf(`landform ${machine}`), ...others].join(' ')
  expect(time?.of).toBe(expected === undefined ? undefined : digestOf(facts))
})

test.each<[string, string | undefined, string]>([
  ['running', statOf(process.pid), 'alive'],
  ['ended, but not waited for', statOf(process.pid, 'Z'), 'dead'],
  ['just being removed', statOf(process.pid, 'X'), 'dead'],
  ['not described', undefined, 'alive'],
  ['not described in full', `${process.pid} (name) S 0 0\n`, 'alive'],
])('a process that is %s', async (_, text, expected) => {
  describeSystem({ [`/proc/${process.pid}/stat`]: text })
  const { liveness, thisProcess } = await newProcess()
  expect(await liveness(await thisProcess())).toBe(expected)
})

test.each([
  ['EPERM', 'alive'],
  ['ESRCH', 'dead'],
])('a process that cannot be sent a signal because of %s is %s', async (code, expected) => {
  describeSystem()
  const { liveness, thisProcess } = await newProcess()
  const { kill } = process
  process.kill = () => {
    throw Object.assign(new Error(code), { code })
  }
  try {
    expect(await liveness(await thisProcess())).toBe(expected)
  } finally {
    process.kill = kill
  }
})

describe('a folder', () => {
  const { mkdir } = thisMachine.disk
  const make = (path: string) => mkdir(path, { recursive: true, mode: 0o700 })

  test('is created with its parents, of which the first that was missing is returned', async () => {
    const top = await temporaryFolder()
    const [outer, inner] = [join(top, 'a'), join(top, 'a', 'b', 'c')]
    expect([await make(inner), await make(inner), await make(top)]).toEqual([outer, undefined, undefined])
    expect(await make(join(inner, 'd'))).toBe(join(inner, 'd'))
    expect((await real.stat(join(inner, 'd'))).mode & 0o777).toBe(0o700)
  })

  test('is not created where a file is, nor below it', async () => {
    const file = join(await temporaryFolder(), 'file')
    await real.writeFile(file, '')
    await expect(make(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'EEXIST' })
  })

  test('with a name that the disk rejects fails with its error', async () => {
    const folder = join(await temporaryFolder(), 'x'.repeat(300))
    await expect(make(folder)).rejects.toMatchObject({ code: 'ENAMETOOLONG', syscall: 'mkdir' })
  })

  test('that another run creates at the same moment is accepted', async () => {
    const folder = join(await temporaryFolder(), 'a')
    const create = async (path: string) => {
      await real.mkdir(path)
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    }
    replace({ mkdir: create as never })
    expect(await make(folder)).toBe(folder)
  })

  test('on a disk that does not exist fails', async () => {
    const fail = async () => {
      throw missing()
    }
    replace({ mkdir: fail, stat: fail })
    await expect(make('/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
