import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
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

/** The name of a folder without files, which git knows in every repository. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A bare repository with one commit on `main`, as a server would have it. */
export async function bareRepository(): Promise<string> {
  const folder = await temporaryFolder()
  const bare = join(folder, 'remote.git')
  git(folder, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', bare)
  mkdirSync(join(bare, 'hooks'))
  // Tidying up after each push would be another process, and there is never anything to tidy.
  appendFileSync(join(bare, 'config'), '[receive]\n\tautogc = false\n')
  const one = git(bare, 'commit-tree', '-m', 'one', emptyTree)
  git(bare, 'update-ref', 'refs/heads/main', git(bare, 'commit-tree', '-m', 'two', '-p', one, emptyTree))
  return bare
}

/** A checkout of it, made with more options of `git clone`. */
export async function checkout(bare: string, ...options: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  git(folder, 'clone', '--quiet', '--template=', ...options, `file://${bare}`, 'checkout')
  mkdirSync(join(folder, 'checkout', '.git', 'hooks'))
  return join(folder, 'checkout')
}

/** The backend as a run in this checkout has it. */
export function gitBackendIn(folder: string, remote = 'origin', timeoutMs = 20_000) {
  return gitBackend(remote, { folder, environment: gitEnvironment, timeoutMs })
}
