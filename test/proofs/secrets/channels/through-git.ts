import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, hasGit } from '../../../support/git-repositories.js'
import type { Scene } from './scene.js'

/** Searches state in git: the pushed objects, and the command lines and environments of git. */
export async function throughGit(scene: Scene): Promise<void> {
  if (!hasGit) return
  const { place, front, ledger, run } = scene
  const { folder, control } = place
  const remote = join(folder, `${control.value}.git`)
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote)
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'remote', 'add', 'origin', remote)
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'one')
  git(folder, 'push', '--quiet', 'origin', 'main')
  const programs = join(folder, control.value)
  const seen = join(folder, 'told-to-git')
  mkdirSync(programs)
  writeFileSync(
    join(programs, 'git'),
    `#!/bin/sh\ncat /proc/$$/cmdline /proc/$$/environ >>'${seen}'\nPATH='${process.env['PATH']}' exec git "$@"\n`,
  )
  chmodSync(join(programs, 'git'), 0o755)
  const site = place.write('site.yaml', { url: front.url, token: scene.reference('token') })
  const environment = { PATH: `${programs}:${process.env['PATH']}`, GIT_CONFIG_GLOBAL: '/dev/null' }
  const words = ['apply', site, '--state', 'git:origin', '--yes', '--timeout', '60s']
  const code = await run(words, { environment, channel: 'a run with state in git' })
  if (code !== 0) scene.report(`apply with state in git ended with ${code}`)
  if (existsSync(seen)) ledger.see('command lines and environment of git', readFileSync(seen))
  for (const name of [remote, folder]) ledger.see('objects of git', objectsOf(name))
  ledger.seeFiles('files of git', join(folder, '.git'))
  ledger.see('files of git', git(remote, 'for-each-ref'))
}

/** Reads all objects of a repository, unpacked. */
function objectsOf(folder: string): Buffer {
  return execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
    cwd: folder,
    maxBuffer: 2 ** 28,
  })
}
