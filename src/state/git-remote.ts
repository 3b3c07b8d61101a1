import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { computeDigest } from '../manifest/digest.js'
import { redactAddress } from '../manifest/state-location.js'
import {
  type Git,
  type GitOptions,
  gitProgram,
  parseGitFailure,
  parseObjects,
  quietFetch,
  readLine,
  splitLines,
} from './git-program.js'
import { pausesMs } from './object-backend.js'
import type { ProgramEnd } from './run-program.js'
import type { StateFailure, StateReason, StateReply } from './state-failure.js'

/** The file in each commit that holds the document. */
const document = 'state.json'

/** Maps refs of the remote to the commits that they point to. */
export type Tips = ReadonlyMap<string, string>

/** The move of a ref of the remote, from its newest commit (if any) to the next. */
interface RefMove {
  readonly ref: string
  readonly commit: string
  readonly before: string | undefined
}

/** A document, and the commit before its own. */
interface NewDocument {
  readonly text: string
  readonly title?: string
  readonly after: string | undefined
}

/**
 * The operations on a local git repository and its remote. Each starts one program for any number of refs, and none for
 * no refs. Only the newest commit that was seen keeps a local ref, which is never pushed.
 */
export interface GitRemote {
  /** As the user would name it. */
  readonly where: string
  /** The part of `where` after the colon. */
  readonly name: string
  /** Finds the address of the remote in this clone, without credentials. */
  address(): Promise<string | undefined>
  /** Returns the local ref that records the last seen commit of a ref of the remote. */
  seenName(ref: string): string
  /** Reads the recorded commits. Fails outside of a repository, because fetched objects need one. */
  notes(): Promise<StateReply<Tips>>
  /** Lists the commits that refs of the remote point to. Tries again if the remote is unreachable. */
  tips(patterns: readonly string[]): Promise<StateReply<Tips>>
  /**
   * Fetches refs, and records their commits. May fail although the objects were fetched: if nothing can be recorded, or
   * a ref does not continue from its recorded commit.
   */
  fetch(refs: readonly string[]): Promise<StateReply<unknown>>
  /** Lists each commit with its ancestors, newest first. */
  chains(commits: readonly string[]): Promise<StateReply<readonly (readonly string[])[]>>
  /** Reads the documents of commits. */
  read(commits: readonly string[]): Promise<StateReply<readonly string[]>>
  /** Creates a commit for each document. Two runs never create the same commit, even for the same text. */
  commit(documents: readonly NewDocument[]): Promise<StateReply<readonly string[]>>
  /** Moves refs of the remote, all or none, if each still points to `before`. */
  push(moves: readonly RefMove[]): Promise<PushReply>
  /** Records moved refs, unless another run was first. Does nothing if the repository is not writable. */
  note(moves: readonly RefMove[]): Promise<void>
}

type PushReply =
  | { readonly kind: 'pushed' }
  /** The remote does not support atomic pushes. */
  | { readonly kind: 'one-at-a-time' }
  /** `isAnswer`: the remote itself rejected the push. Otherwise it may still take effect. */
  | { readonly kind: 'not-pushed'; readonly isAnswer: boolean; readonly reason: StateReason }

/** Opens a remote of the repository around a folder: by name, by address, or by a path that starts with a dot or slash. */
export function gitRemote(remote: string, options: GitOptions): GitRemote {
  const git = gitProgram(options)
  const { pause } = options
  const name = redactAddress(remote)
  const where = `git:${name}`
  const address = /^\.{0,2}\//.test(remote) ? resolve(remote) : remote
  const digest = computeDigest(Buffer.from(redactAddress(address))).slice('sha256:'.length)
  const notesPrefix = `refs/landform-seen/${digest.slice(0, 12)}/`
  const seenName = (ref: string) => ref.replace(/^refs\/landform\//, notesPrefix)
  const failed = (kind: StateFailure['kind'], reason: StateReason) =>
    ({ ok: false, error: { kind, where, reason } }) as const
  const unless = <T>(
    end: ProgramEnd,
    kind: StateFailure['kind'],
    value: (end: ProgramEnd) => T,
  ): StateReply<T> => (end.code === 0 ? { ok: true, value: value(end) } : failed(kind, parseGitFailure(end)))

  return {
    where,
    name,
    async address() {
      const end = await git(['ls-remote', '--get-url', '--', address])
      return end.code === 0 ? redactAddress(readLine(end)) : undefined
    },
    seenName,
    async notes() {
      const end = await git(['for-each-ref', '--format=%(objectname)%09%(refname)', notesPrefix])
      return unless(end, 'unreadable', ({ stdout }) =>
        parseRefs(stdout, ref => ref.replace(notesPrefix, 'refs/landform/')),
      )
    },
    async tips(patterns) {
      for (let tries = 0; ; tries += 1) {
        const end = await git(['ls-remote', '--quiet', '--refs', '--', address, ...patterns])
        const found = unless(end, 'unreadable', ({ stdout }) => parseRefs(stdout, ref => ref))
        const waitMs = parseGitFailure(end).cause === 'unreachable' ? pausesMs[tries] : undefined
        if (found.ok || waitMs === undefined || pause === undefined) return found
        await pause(waitMs)
      }
    },
    async fetch(refs) {
      if (refs.length === 0) return nothing
      const end = await git([...quietFetch, '--', address, ...refs.map(ref => `${ref}:${seenName(ref)}`)])
      return unless(end, 'unreadable', () => undefined)
    },
    async chains(commits) {
      if (commits.length === 0) return nothing
      const end = await git(['rev-list', '--first-parent', '--parents', ...commits, '--'])
      return unless(end, 'unreadable', ({ stdout }) => followParents(commits, splitLines(stdout)))
    },
    async read(commits) {
      if (commits.length === 0) return nothing
      const end = await git(
        ['cat-file', '--batch'],
        commits.map(commit => `${commit}:${document}\n`).join(''),
      )
      if (end.code !== 0) return failed('unreadable', parseGitFailure(end))
      const texts = parseObjects(end.stdout).map(String)
      return texts.length === commits.length
        ? { ok: true, value: texts }
        : failed('damaged', { kind: 'no-document', document })
    },
    async commit(documents) {
      const input = formatImport(documents)
      const end = await git(['fast-import', '--quiet', '--done', '--date-format=now'], input)
      return unless(end, 'unwritable', ({ stdout }) => splitLines(stdout))
    },
    push: moves => pushRefs(git, address, moves),
    async note(moves) {
      const lines = moves.map(({ ref, commit, before }) =>
        before === undefined
          ? `create ${seenName(ref)} ${commit}\n`
          : `update ${seenName(ref)} ${commit} ${before}\n`,
      )
      await git(['update-ref', '--stdin'], lines.join(''))
    },
  }
}

const nothing = { ok: true, value: [] } as const

/** Parses lines with a commit and the ref that points to it. */
function parseRefs(output: Buffer, nameOf: (ref: string) => string): Tips {
  return new Map(
    splitLines(output).map(line => {
      const [commit = '', ref = ''] = line.split('\t')
      return [nameOf(ref), commit]
    }),
  )
}

/** Lists each commit with its ancestors, from lines with a commit and its parent. */
function followParents(commits: readonly string[], lines: readonly string[]): readonly (readonly string[])[] {
  const parents = new Map<string | undefined, string | undefined>(
    lines.map(line => {
      const [commit, parent] = line.split(' ')
      return [commit, parent]
    }),
  )
  return commits.map(tip => {
    const chain: string[] = []
    for (let commit: string | undefined = tip; commit !== undefined; commit = parents.get(commit))
      chain.push(commit)
    return chain
  })
}

/** Formats the input of `fast-import`: a commit for each document, on a temporary ref that is reset at once. */
function formatImport(documents: readonly NewDocument[]): string {
  const passing = 'refs/landform-new/commit'
  const commits = documents.map(({ text, title = 'State of a site', after }, at) =>
    [
      `commit ${passing}`,
      `mark :${at + 1}`,
      'committer Landform <landform@localhost> now',
      // Two runs with the same text would otherwise make the same commit, and pushing an existing commit always succeeds.
      formatData(`${title}\n\nRun: ${randomBytes(12).toString('hex')}\n`),
      ...(after === undefined ? [] : [`from ${after}`]),
      'deleteall',
      `M 100644 inline ${document}`,
      formatData(text),
      `reset ${passing}\n\n`,
    ].join('\n'),
  )
  const names = documents.map((_, at) => `get-mark :${at + 1}\n`)
  return `${commits.join('')}${names.join('')}done\n`
}

function formatData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`
}

const plainPush = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']

async function pushRefs(git: Git, address: string, moves: readonly RefMove[]): Promise<PushReply> {
  const leases = moves.map(({ ref, before = '' }) => `--force-with-lease=${ref}:${before}`)
  const changes = moves.map(({ ref, commit }) => `${commit}:${ref}`)
  const together = moves.length > 1 ? ['--atomic'] : []
  const end = await git([...plainPush, ...together, ...leases, '--', address, ...changes])
  if (end.code === 0) return { kind: 'pushed' }
  if (/does not support --atomic/.test(end.stderr)) return { kind: 'one-at-a-time' }
  const rejection = splitLines(end.stdout).find(line => line.startsWith('!'))
  const stderr = `${end.stderr}\n${rejection ?? ''}`
  return {
    kind: 'not-pushed',
    isAnswer: rejection !== undefined,
    reason: parseGitFailure({ ...end, stderr }),
  }
}
