import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CiSystem, ciFiles } from '../../src/ci/ci-systems.js'
import { run } from '../../src/cli/run.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { anEmulator } from './emulator.js'
import { fakeHost } from './fake-host.js'
import { bareRepository, checkout, git } from './git-repositories.js'

/** An upgrade section that differs from the default, as a replacement of the line `#upgrade:` of a new manifest. */
export const nightlyUpgrade: readonly [from: RegExp, to: string] = [
  /^ {2}#upgrade:\n/m,
  '  upgrade: { podPlacementPolicy: { nodeAffinity: {}, tolerations: [{ key: nightly, operator: Exists }] } }\n',
]

/** Creates a repository with a remote, a manifest for each of several emulated sites, and the pipeline of `init --ci`. */
export async function sitesInGit(ci: CiSystem, names: readonly string[], options: EmulatorOptions = {}) {
  let [requests, lastRequest] = [() => 0, Number.POSITIVE_INFINITY]
  const now = () => Date.now() + (requests() > lastRequest ? 86_400_000 : 0)
  const emulator = await anEmulator({ stageMs: 5, now, ...options, sites: names.length })
  requests = () => emulator.requests.length
  const bare = await bareRepository()
  const folder = await checkout(bare)
  const fileOf = (name: string) => join(folder, 'envs', name, 'site.yaml')
  const commit = (message = 'sites') => {
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', `--message=${message}`)
    git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
  }
  const replace = (name: string, from: string | RegExp, to: string) =>
    writeFileSync(fileOf(name), readFileSync(fileOf(name), 'utf8').replace(from, to))
  writeFileSync(join(folder, '.gitignore'), 'plans\ndrift.md\n')
  for (const [at, name] of names.entries()) {
    const site = ['--name', name, '--url', emulator.sites[at]?.url ?? '', '--email', 'admin@example.org']
    const words = ['--storage-class', 'gp3', '--ci', ci, '--yes']
    expect(await run(['init', fileOf(name), ...site, ...words], fakeHost())).toBe(0)
    writeFileSync(join(folder, 'envs', name, 'licenses', 'site.json'), '{}')
    replace(name, '#state: git:origin', 'state: git:origin')
  }
  commit()
  return {
    origin: new URL(emulator.url).origin,
    bare,
    folder,
    text: readFileSync(join(folder, ciFiles[ci].path), 'utf8'),
    commit,
    /** Edits a manifest, and commits it. */
    edit(...change: Parameters<typeof replace>) {
      replace(...change)
      commit()
    },
    /** Advances the clock of the sites by a day after this many further requests. */
    passDayAfter(count: number) {
      lastRequest = requests() + count
    },
    configured: () => emulator.sites.map(one => one.world().counters.configure.accepted),
  }
}
