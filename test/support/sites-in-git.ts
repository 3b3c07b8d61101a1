import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { startEmulator } from '../../src/emulator/server.js'
import { fakeHost } from './fake-host.js'
import { bareRepository, checkout, git } from './git-repositories.js'

type EmulatorOptions = NonNullable<Parameters<typeof startEmulator>[0]>

/**
 * Creates a repository with a remote and a manifest for each of several emulated sites, in the pipeline of `init --ci`. The
 * caller closes the emulator.
 */
export async function sitesInGit(ci: string, names: readonly string[], options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ stageMs: 5, ...options, sites: names.length })
  const bare = await bareRepository()
  const folder = await checkout(bare)
  const fileOf = (name: string) => join(folder, 'envs', name, 'site.yaml')
  const commit = (message = 'sites') => {
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', `--message=${message}`)
    git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
  }
  /** Edits a manifest; `commit` commits it. */
  const edit = (name: string, from: string | RegExp, to: string) =>
    writeFileSync(fileOf(name), readFileSync(fileOf(name), 'utf8').replace(from, to))
  for (const [at, name] of names.entries()) {
    const site = ['--name', name, '--url', emulator.sites[at]?.url ?? '', '--email', 'admin@example.org']
    const words = ['--storage-class', 'gp3', '--ci', ci, '--yes']
    expect(await run(['init', fileOf(name), ...site, ...words], fakeHost())).toBe(0)
    writeFileSync(join(folder, 'envs', name, 'licenses', 'site.json'), '{}')
    edit(name, '#state: git:origin', 'state: git:origin')
  }
  const configured = () => emulator.sites.map(one => one.world().counters.configure.accepted)
  return { emulator, bare, folder, commit, edit, configured }
}
