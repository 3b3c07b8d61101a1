import { lstatSync, type Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { redactAddress } from '../manifest/state-location.js'
import type { Pause } from './object-backend.js'
import { type ProgramEnd, runProgram } from './run-program.js'
import type { GitCause, GitReason } from './state-failure.js'

/** Runs git with arguments, none of which a shell interprets. */
export type Git = (args: readonly string[], input?: string) => Promise<ProgramEnd>

export interface GitOptions {
  /** A folder in the clone, whose configuration and credentials are used. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Time after which a run is stopped. */
  readonly deadlineMs: number
  /** Waits before an unreachable remote is read again. Without it, the remote is read once. */
  readonly pause?: Pause
}

/** Settings for every run: no hooks, no prompts, no maintenance, and no implicit bare repositories. */
const settings = [
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'credential.interactive=false',
  'push.gpgSign=false',
].flatMap(setting => ['-c', setting])

/**
 * Creates the function that runs git in the clone around a folder. Git's own search also accepts a folder whose files
 * look like a bare repository, so a commit could contain configuration that runs programs. Each run therefore names the
 * `.git` that was found here, and starts outside the clone.
 */
export function gitProgram({ folder, environment, deadlineMs }: GitOptions): Git {
  const env = gitEnvironment(environment)
  const open = async () => {
    const real = await realpath(folder).catch(() => resolve(folder))
    const top = findCloneTop(real) ?? real
    const start = { folder: parse(top).root, environment: env, deadlineMs }
    const runInTop = (args: readonly string[], input = '') =>
      runProgram('git', [...settings, '-C', top, ...args], { ...start, input })
    // Git does not check the owner of a repository that `--git-dir` names.
    const checked = isOwnClone(top) ? undefined : await runInTop(['rev-parse'])
    const names = [`--git-dir=${join(top, '.git')}`, `--work-tree=${top}`]
    return async (args: readonly string[], input?: string) =>
      checked === undefined || checked.code === 0 ? runInTop([...names, ...args], input) : checked
  }
  let opened: ReturnType<typeof open> | undefined
  return async (args, input) => {
    opened ??= open()
    const git = await opened
    return git(args, input)
  }
}

/**
 * Finds the top of the clone, linked work tree or submodule around a folder: the nearest folder with an entry named
 * `.git`. A commit cannot contain one, because git rejects that path.
 */
export function findCloneTop(folder: string): string | undefined {
  const start = resolve(folder)
  if (readFacts(join(start, '.git')) !== undefined) return start
  return dirname(start) === start ? undefined : findCloneTop(dirname(start))
}

/** True if git would accept the owner. If the repository is elsewhere, or belongs to another user, git itself decides. */
function isOwnClone(top: string): boolean {
  const git = readFacts(join(top, '.git'))
  if (git === undefined) return true
  const uid = process.geteuid?.()
  return git.isDirectory() && git.uid === uid && readFacts(top)?.uid === uid
}

/** Reads the metadata of a path; `undefined` also if this process has no access. */
function readFacts(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** The variables to remove: those that redirect git to another repository or enable traces, and the secrets of the site. */
const unwanted =
  /^(?:LANDFORM_.*|GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|TRACE.*|AUTHOR_.*|COMMITTER_.*))$/

function gitEnvironment(environment: GitOptions['environment']): Record<string, string | undefined> {
  const name = 'Landform'
  const email = 'landform@localhost'
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([key]) => !unwanted.test(key))),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}

/** Arguments of a fetch that only adds objects, under every configuration. */
export const quietFetch = [
  'fetch',
  '--quiet',
  '--no-write-fetch-head',
  '--no-tags',
  '--no-prune',
  '--no-prune-tags',
  '--no-recurse-submodules',
  '--no-auto-gc',
  '--no-filter',
  '--refmap=',
]

/** Splits the output of git into its lines. */
export function splitLines(output: Buffer): readonly string[] {
  return output
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
}

/** Reads the only line that git printed. */
export function readLine({ stdout }: ProgramEnd): string {
  return stdout.toString('utf8').trim()
}

/**
 * Parses the output of `cat-file --batch`: a line with the size precedes each object. A missing object has a line
 * without a size; then the result is empty.
 */
export function parseObjects(output: Buffer): readonly Buffer[] {
  const objects: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const size = / blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1]
    if (size === undefined) return []
    const from = end + 1
    objects.push(output.subarray(from, from + Number(size)))
    at = from + Number(size) + 1
  }
  return objects
}

/** Patterns in the output of git with their causes. The first match counts. */
const causes: readonly (readonly [RegExp, GitCause])[] = [
  [/unknown option|unknown switch/, 'git-too-old'],
  [/dubious ownership/, 'other-owner'],
  [/not a git repository/, 'no-repository'],
  [
    /deny updating a hidden ref|funny refname|prohibited|protected ref|hook declined|GH0\d\d|cannot update ref|non-note/i,
    'ref-rejected',
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied \(|Permission to .* denied|access denied|Access denied|HTTP (?:401|403)|error: (?:401|403)|Host key verification failed|not allowed to (?:push|upload)|insufficient/i,
    'access-denied',
  ],
  [
    /No space left|Read-only file system|insufficient permission for adding an object|unable to create temporary|unable to write/i,
    'not-writable',
  ],
  [/HTTP 413|error: 413/, 'too-large'],
  [
    /Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|timed out|reset)|Operation timed out|unable to access|hung up unexpectedly|early EOF|unexpected disconnect|No route to host|Network is unreachable/i,
    'unreachable',
  ],
  [
    /does not appear to be a git repository|[Rr]epository .*not found|No such remote|does not exist/,
    'no-remote',
  ],
]

/** Finds the cause of a failed git run, with a line of its output. */
export function parseGitFailure({ code, stderr }: ProgramEnd): GitReason {
  if (code === 'not-found') return { kind: 'git', cause: 'not-installed' }
  if (code === 'too-slow') return { kind: 'git', cause: 'timeout' }
  const [, cause = code] = causes.find(([output]) => output.test(stderr)) ?? []
  const said = selectLine(stderr)
  return { kind: 'git', cause, ...(said !== '' && { said }) }
}

/** Selects the most useful line. */
function selectLine(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map(line => line.trim())
  const telling = lines.find(line => /^(?:fatal|error|ssh|remote: (?:error|fatal)|.*rejected)/i.test(line))
  const line = redactAddress(telling ?? lines.find(one => one !== '') ?? '')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
