import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gitBackend } from '../../src/state/git-backend.js'
import { runsHere } from './program.js'
import { temporaryFolder } from './temporary-folder.js'

/** Excludes the git configuration of the user and of the machine. */
export const gitEnvironment = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** False if git is not installed, which skips the tests that need it. */
export const hasGit = await runsHere(['git', '--version'])

/** Runs git with a user name. Returns its trimmed output. */
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

/** The object name of the empty tree, which git has in every repository. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const branch = 'refs/heads/main'

/** The contents of a folder by their relative paths. */
type Tree = ReadonlyMap<string, Buffer | 'folder'>

function readTree(folder: string): Tree {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries.map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [relative(folder, path), entry.isDirectory() ? 'folder' : readFileSync(path)]
    }),
  )
}

/** Writes a tree, with one address replaced by another. */
function writeTree(tree: Tree, folder: string, from: string, to: string): void {
  mkdirSync(folder)
  for (const [name, content] of tree) {
    const path = join(folder, name)
    if (content === 'folder') mkdirSync(path)
    else writeFileSync(path, content.toString('latin1').replaceAll(from, to), 'latin1')
  }
}

let made: { readonly address: string; readonly bare: Tree; readonly checkout: Tree } | undefined

/** Creates a bare repository and a checkout once, since git starts a dozen processes for them and many tests need a copy. */
function repositories() {
  if (made !== undefined) return made
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-git-'))
  const bare = join(folder, 'remote.git')
  const address = `file://${bare}`
  git(folder, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', bare)
  mkdirSync(join(bare, 'hooks'))
  // Avoids another process after each push; there is never anything to collect.
  appendFileSync(join(bare, 'config'), '[receive]\n\tautogc = false\n')
  const one = git(bare, 'commit-tree', '-m', 'one', emptyTree)
  git(bare, 'update-ref', branch, git(bare, 'commit-tree', '-m', 'two', '-p', one, emptyTree))
  clone(folder, address)
  made = { address, bare: readTree(bare), checkout: readTree(join(folder, 'checkout')) }
  rmSync(folder, { recursive: true })
  return made
}

function clone(folder: string, ...words: readonly string[]): void {
  git(folder, 'clone', '--quiet', '--template=', ...words, 'checkout')
  mkdirSync(join(folder, 'checkout', '.git', 'hooks'))
}

/** Creates a bare repository with two commits on `main`, as on a server. */
export async function bareRepository(): Promise<string> {
  const bare = join(await temporaryFolder(), 'remote.git')
  const { bare: tree, address } = repositories()
  writeTree(tree, bare, address, `file://${bare}`)
  return bare
}

/** Clones a repository. `options` are more options of `git clone`. */
export async function checkout(bare: string, ...options: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  if (options.length === 0 && isAsMade(bare)) {
    const { checkout: tree, address } = repositories()
    writeTree(tree, join(folder, 'checkout'), address, `file://${bare}`)
  } else clone(folder, ...options, `file://${bare}`)
  return join(folder, 'checkout')
}

/** Tests whether the repository still equals the template, so a copy of its checkout can replace a clone. */
function isAsMade(bare: string): boolean {
  const refs = readTree(join(bare, 'refs'))
  const cloned = [...refs.keys()].filter(name => /^(?:heads|tags)\//.test(name))
  return (
    cloned.join() === 'heads/main' &&
    String(refs.get('heads/main')) === String(repositories().bare.get(branch))
  )
}

/** Returns the state backend of a run in this checkout. */
export function gitBackendIn(folder: string, remote = 'origin', deadlineMs = 20_000) {
  return gitBackend(remote, { folder, environment: gitEnvironment, deadlineMs })
}
