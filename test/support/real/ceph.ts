import { randomUUID } from 'node:crypto'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../http-double.js'
import { runProgram } from '../program.js'
import { ask } from './ask.js'
import { findProgram, type Service, startService } from './service.js'
import type { SigningKeys } from './signed.js'

const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph', 'radosgw-admin', 'ceph-authtool', 'monmaptool']

/** The packages that Ceph requires. */
export const cephPackages = 'ceph-mon, ceph-osd, radosgw and ceph-common of Debian'

/** Tests whether all programs of Ceph are installed. */
export async function hasCeph(): Promise<boolean> {
  const found = await Promise.all(programs.map(findProgram))
  return !found.includes(undefined)
}

/** The object storage of Ceph on loopback: one monitor, one store in memory, one gateway. */
export interface RealCeph {
  readonly version: string
  readonly url: string
  readonly keys: SigningKeys
  /** The keys of another user, who has no access to the bucket. */
  readonly stranger: SigningKeys
  /** Runs `radosgw-admin`. */
  admin(...words: readonly string[]): Promise<string>
  /** Restarts the gateway with other settings, at the same port. */
  restart(...settings: readonly string[]): Promise<void>
  stop(): Promise<void>
}

const user = (name: string): SigningKeys => ({
  accessKeyId: `KEYOF${name.toUpperCase()}`,
  secretAccessKey: `secret-of-${name}`,
})

/** Starts Ceph, with its files in a folder. Takes about ten seconds. */
export async function realCeph(folder: string): Promise<RealCeph> {
  for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  const [port, monitorPort] = [await freePort(), await freePort()]
  const id = randomUUID()
  await writeFile(join(folder, 'ceph.conf'), configuration(folder, { id, port, monitorPort }))
  const run = async (program: string, ...words: readonly string[]) => {
    const ended = await runProgram(program, words, { cwd: folder })
    if (ended.code !== 0) throw new Error(`${program} ended with ${ended.code}: ${ended.stderr}`)
    return ended.stdout
  }
  const ceph = (...words: readonly string[]) =>
    run('ceph', '-c', 'ceph.conf', '--connect-timeout', '5', ...words)
  const keyring = ['--create-keyring', 'keyring', '--gen-key']
  await run('ceph-authtool', ...keyring, '-n', 'mon.', '--cap', 'mon', 'allow *')
  const all = ['mon', 'osd', 'mgr'].flatMap(name => ['--cap', name, 'allow *'])
  await run('ceph-authtool', 'keyring', '--gen-key', '-n', 'client.admin', ...all)
  await run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', id, 'map')
  const settings = ['-c', join(folder, 'ceph.conf')]
  await run('ceph-mon', ...settings, '-i', 'a', '--mkfs', '--monmap', 'map', '--keyring', 'keyring')
  const started: Service[] = []
  const start = async (program: string, words: readonly string[], isReady: () => Promise<boolean>) => {
    const service = await startService(program, [program, '-f', ...settings, ...words], { folder, isReady })
    started.unshift(service)
    return service
  }
  await start('ceph-mon', ['-i', 'a'], async () => (await ceph('mon', 'stat')) !== '')
  const disk = randomUUID()
  await ceph('osd', 'new', disk, '0')
  for (const [name, who] of [
    ['osd.0', 'allow profile osd'],
    ['client.rgw', 'allow *'],
  ] as const)
    await appendFile(
      join(folder, 'keyring'),
      await ceph('auth', 'get-or-create', name, 'mon', who, 'osd', 'allow *'),
    )
  await run('ceph-osd', ...settings, '-i', '0', '--mkfs', '--osd-uuid', disk)
  await start('ceph-osd', ['-i', '0'], async () => (await ceph('osd', 'stat')).includes('1 up'))
  const url = `http://127.0.0.1:${port}`
  const startGateway = (words: readonly string[]) =>
    start('radosgw', ['-n', 'client.rgw', ...words], async () => (await ask(url)).status === 200)
  let gateway = await startGateway([])
  const admin = (...words: readonly string[]) => run('radosgw-admin', '-c', 'ceph.conf', ...words)
  for (const name of ['landform', 'stranger']) {
    const { accessKeyId, secretAccessKey } = user(name)
    const own = ['--access-key', accessKeyId, '--secret', secretAccessKey]
    await admin('user', 'create', '--uid', name, '--display-name', name, ...own)
  }
  return {
    version: /version ([\d.]+)/.exec(await run('radosgw', '--version'))?.[1] ?? 'unknown',
    url,
    keys: user('landform'),
    stranger: user('stranger'),
    admin,
    async restart(...words) {
      await gateway.stop()
      gateway = await startGateway(words)
    },
    async stop() {
      for (const service of started) await service.stop()
    },
  }
}

interface Identity {
  readonly id: string
  readonly port: number
  readonly monitorPort: number
}

/** Returns a configuration with one replica, one placement group for each pool, and all files in the folder. */
function configuration(folder: string, { id, port, monitorPort }: Identity): string {
  return `[global]
fsid = ${id}
mon host = v2:127.0.0.1:${monitorPort}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = ${folder}/keyring
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
crash dir = ${folder}/crash
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw
osd objectstore = memstore
memstore device bytes = 1G
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw max put size = 1048576
rgw max listing results = 100
rgw bucket quota ttl = 0
`
}
