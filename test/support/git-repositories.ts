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
const branch = 'refs/heads/main'

/** The names in a folder, with the contents of its files. */
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

/** Writes what was read, with one address in place of another. */
function writeTree(tree: Tree, folder: string, from: string, to: string): void {
  mkdirSync(folder)
  for (const [name, content] of tree) {
    const path = join(folder, name)
    if (content === 'folder') mkdirSync(path)
    else writeFileSync(path, content.toString('latin1').replaceAll(from, to), 'latin1')
  }
}

let made: { readonly address: string; readonly bare: Tree; readonly checkout: Tree } | undefined

/** A bare repository and a checkout, made once: git starts a dozen processes for them, and a hundred tests want their own. */
function repositories() {
  if (made !== undefined) return made
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-git-'))
  const bare = join(folder, 'remote.git')
  const address = `file://${bare}`
  git(folder, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main', bare)
  mkdirSync(join(bare, 'hooks'))
  // Tidying up after each push would be another process, and there is never anything to tidy.
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

/** A bare repository with two commits on `main`, as a server would have it. */
export async function bareRepository(): Promise<string> {
  const bare = join(await temporaryFolder(), 'remote.git')
  const { bare: tree, address } = repositories()
  writeTree(tree, bare, address, `file://${bare}`)
  return bare
}

/** A checkout of it, made with more options of `git clone`. */
export async function checkout(bare: string, ...options: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  if (options.length === 0 && isAsMade(bare)) {
    const { checkout: tree, address } = repositories()
    writeTree(tree, join(folder, 'checkout'), address, `file://${bare}`)
  } else clone(folder, ...options, `file://${bare}`)
  return join(folder, 'checkout')
}

/** True where a clone would have nothing more. */
function isAsMade(bare: string): boolean {
  const refs = readTree(join(bare, 'refs'))
  const cloned = [...refs.keys()].filter(name => /^(?:heads|tags)\//.test(name))
  return (
    cloned.join() === 'heads/main' &&
    String(refs.get('heads/main')) === String(repositories().bare.get(branch))
  )
}

/** The backend as a run in this checkout has it. */
export function gitBackendIn(folder: string, remote = 'origin', deadlineMs = 20_000) {
  return gitBackend(remote, { folder, environment: gitEnvironment, deadlineMs })
}
