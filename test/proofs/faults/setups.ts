import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/cli/run.js'
import type { Holder } from '../../../src/plan/submission.js'
import { siteKey } from '../../../src/state/series.js'
import { aSubmission } from '../../support/a-submission.js'
import { aCertificate } from '../../support/certificate.js'
import { fakeHost } from '../../support/fake-host.js'
import { freePort, httpDouble } from '../../support/http-double.js'
import { keep, keptBy, someHolders } from '../../support/kept-state.js'
import type { World } from './world.js'

type Setup = (world: World) => void | Promise<void>

const change = (world: World, from: string | RegExp, to: string) =>
  writeFileSync(world.manifest, readFileSync(world.manifest, 'utf8').replace(from, to))
const license = ({ folder }: World) => join(folder, 'licenses/site.json')
const password = (world: World, value: string) => {
  world.environment['LANDFORM_ADMIN_PASSWORD'] = value
}

const sincePlan =
  (changed: Setup): Setup =>
  async world => {
    const plan = await planned(world)
    await changed(world)
    world.file = plan
  }

async function planned(world: World): Promise<string> {
  const out = join(world.folder, 'plan.json')
  const args = ['plan', world.manifest, '--url', world.url, '--state', world.state, '--out', out]
  const host = fakeHost({ environment: world.environment })
  if ((await run(args, host)) !== 0) throw new Error(host.err())
  return out
}

/** Writes the state of a dead process that released its lock, and lists the files of its versions, oldest first. */
async function seeded(world: World, url = world.url): Promise<readonly string[]> {
  await keep(keptBy((await someHolders()).dead, { folder: world.kept, url }), {})
  const folder = join(world.kept, siteKey(url))
  return readdirSync(folder)
    .sort()
    .map(name => join(folder, name))
}

const newest =
  (harm: (file: string) => void): Setup =>
  async world => {
    const file = (await seeded(world)).at(-1)
    if (file !== undefined) harm(file)
  }

const locked =
  (fate: 'dead' | 'elsewhere' | 'alive' | 'reused'): Setup =>
  async world => {
    const holders = await someHolders()
    const holder = fate === 'reused' ? { ...holders.alive, startedAt: '1' } : holders[fate]
    await keep(keptBy(holder, { folder: world.kept, url: world.url }), {}, 'keeps it')
  }

const lockedAs =
  (changed: (dead: Holder) => Holder): Setup =>
  async world => {
    const holder = changed((await someHolders()).dead)
    await keep(keptBy(holder, { folder: world.kept, url: world.url }), {}, 'keeps it')
  }

const promised: Setup = async world => {
  const { dead } = await someHolders()
  const store = keptBy(dead, { folder: world.kept, url: world.url })
  await keep(store, { submission: aSubmission({ by: dead }) }, 'keeps it')
}

const signalAt =
  (path: string, signal: 'SIGINT' | 'SIGTERM'): Setup =>
  world => {
    world.onRequest = (asked, host) => {
      if (asked.endsWith(path)) host.signal(signal)
    }
    world.repair = () => {
      world.onRequest = () => undefined
    }
  }

/** Makes the disk fail, starting with the first request to a path. */
const diskFailsAt =
  (path: string): Setup =>
  world => {
    const away = `${world.kept}-away`
    let failed = false
    world.onRequest = asked => {
      if (failed || !asked.endsWith(path)) return
      failed = true
      renameSync(world.kept, away)
      writeFileSync(world.kept, '')
    }
    world.repair = () => {
      world.onRequest = () => undefined
      rmSync(world.kept)
      renameSync(away, world.kept)
    }
  }

const at =
  (url: (world: World) => string | Promise<string>): Setup =>
  async world => {
    world.url = await url(world)
  }

const named =
  (service: string): Setup =>
  world => {
    world.service = service
  }

/** The faults that the emulator cannot inject. */
export const setups = {
  'a manifest that is too large': world => change(world, /$/, `\n# ${'x'.repeat(1024 * 1024)}\n`),
  'a manifest that is no UTF-8': world => writeFileSync(world.manifest, Buffer.from([0xc3, 0x28])),
  'a manifest that multiplies': world =>
    writeFileSync(
      world.manifest,
      Array.from({ length: 20 }, (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1},*a${n - 1}`}]`).join(
        '\n',
      ),
    ),
  'a manifest that is nested too deeply': world => writeFileSync(world.manifest, '['.repeat(5000)),
  'a manifest with an unknown field': world => change(world, 'profile:', 'profil:'),
  'no license': world => rmSync(license(world)),
  'an empty license': world => writeFileSync(license(world), ''),
  'a folder for a license': world => {
    rmSync(license(world))
    mkdirSync(license(world))
  },
  'a license behind a link out of the folder': world => {
    rmSync(license(world))
    symlinkSync('/etc/hostname', license(world))
  },
  'a license that changed since the plan': sincePlan(world => writeFileSync(license(world), '{"another":1}')),
  'a plan of a manifest that lies elsewhere': async world => {
    const plan = await planned(world)
    world.file = join(world.folder, 'apart', 'plan.json')
    mkdirSync(join(world.folder, 'apart'))
    renameSync(plan, world.file)
  },
  'a manifest that changed since the plan': sincePlan(world =>
    change(world, 'profile: development', 'profile: standard-availability'),
  ),
  'no password': world => {
    delete world.environment['LANDFORM_ADMIN_PASSWORD']
  },
  'a password that changed since the plan': sincePlan(world => password(world, 'Another-horse-2')),
  'a password that ends with a line break': world => password(world, 'Correct-horse-1\n'),
  'a password with a line break in it': world => password(world, 'Correct\nhorse-1'),
  'a password that is far too long': world => password(world, `a1${'x'.repeat(70_000)}`),
  'state that is cut short': newest(file => writeFileSync(file, readFileSync(file).subarray(0, 60))),
  'state that was altered': newest(file =>
    writeFileSync(file, readFileSync(file, 'utf8').replace('"tool": "', '"tool": "x')),
  ),
  'state with a gap': async world => {
    const [first] = await seeded(world)
    if (first !== undefined) rmSync(first)
  },
  'state that others may read': newest(file => chmodSync(file, 0o644)),
  'state behind a link': newest(file => {
    renameSync(file, `${file}.away`)
    symlinkSync(`${file}.away`, file)
  }),
  'state in a folder of the system': world => symlinkSync('/proc/self', world.kept),
  'no place for state': world => writeFileSync(world.kept, ''),
  'a lock of a process that lives': locked('alive'),
  'a lock of a process that is dead': locked('dead'),
  'a lock of a process whose number was reused': locked('reused'),
  'a lock of another machine': locked('elsewhere'),
  'a lock of an earlier boot': lockedAs(holder => ({ ...holder, boot: 'another' })),
  'an interrupt at the first poll': signalAt('', 'SIGINT'),
  'a termination at the first poll': signalAt('', 'SIGTERM'),
  'TLS that is not verified': world => {
    world.environment['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  },
  'a name that leads nowhere': at(() => 'https://nowhere.invalid/admin'),
  'a port where nobody listens': at(async () => `http://127.0.0.1:${await freePort()}/admin`),
  'a certificate that signed itself': at(async () => {
    const { port } = await httpDouble([], aCertificate('itself'))
    return `https://127.0.0.1:${port}/admin`
  }),
  'a port without TLS': at(world => world.url.replace('http:', 'https:')),
  'a proxy where nobody listens': async world => {
    world.url = 'https://gis.example.org/admin'
    world.environment['HTTPS_PROXY'] = `http://127.0.0.1:${await freePort()}`
  },
  'an interrupt while configure hangs': signalAt('/configure', 'SIGINT'),
  'an interrupt while the answer hangs': signalAt('/configure', 'SIGINT'),
  'a submission intent of a process that was killed': promised,
  'a submission intent whose request arrived': promised,
  'a disk that fails while configure is sent': diskFailsAt('/configure'),
  'a disk that fails while the policy is set': diskFailsAt('/update'),
  'a service called ..': named('...GPServer'),
  'a service with a slash in disguise': named('a%2fb.GPServer'),
  'a service with a query': named('a?b=c.GPServer'),
  'two runs at once': world => {
    world.runs = 2
  },
  'state of another site': async world => {
    const other = `${world.url}/other`
    await seeded(world, other)
    renameSync(join(world.kept, siteKey(other)), join(world.kept, siteKey(world.url)))
  },
  'state of a newer Landform': newest(file =>
    writeFileSync(file, readFileSync(file, 'utf8').replace('"formatVersion": 1', '"formatVersion": 2')),
  ),
} satisfies Readonly<Record<string, Setup>>

export type SetupName = keyof typeof setups
