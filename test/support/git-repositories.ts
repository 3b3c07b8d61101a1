import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gitBackend } from '../../src/state/git-backend.js'
import { runsHere } from './program.js'
import { temporaryFolder } from './temporary-folder.js'

/** Without the configuration of whoever runs the tests. */
export const gitEnvironment = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** Where git is not there, what needs it is skipped and says so. */
export const hasGit = await runsHere(['git', '--version'])

/** Runs git as a person would, and gives what it says. */
export function git(folder: string, ...args: readonly string[]): string {
  const person = ['-c', 'user.name=Some One', '-c', 'user.email=some.one@example.org']
  const env = { ...gitEnvironment, LC_ALL: 'C' }
  return execFileSync('git', [...person, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()
}

/** A bare repository with one commit on `main`, as a server would have it. */
export async function bareRepository(): Promise<string> {
  const folder = await temporaryFolder()
  const bare = join(folder, 'remote.git')
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare)
  git(folder, 'clone', '--quiet', bare, 'first')
  git(join(folder, 'first'), 'commit', '--quiet', '--allow-empty', '--message=one')
  git(join(folder, 'first'), 'commit', '--quiet', '--allow-empty', '--message=two')
  git(join(folder, 'first'), 'push', '--quiet', 'origin', 'HEAD:main')
  return bare
}

/** A checkout of it, made with more options of `git clone`. */
export async function checkout(bare: string, ...options: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  git(folder, 'clone', '--quiet', ...options, `file://${bare}`, 'checkout')
  return join(folder, 'checkout')
}

/** The backend as a run in this checkout has it. */
export function gitBackendIn(folder: string, remote = 'origin', timeoutMs = 20_000) {
  return gitBackend(remote, { folder, environment: gitEnvironment, timeoutMs })
}
