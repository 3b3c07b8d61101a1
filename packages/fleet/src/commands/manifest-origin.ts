import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Result } from 'landform'
import { type ExitCode, exitCodes, type Failure, type Host, UsageError } from 'landform/cli'
import { isBelow } from 'landform/sites'
import { createCommitFolders } from '../manifests/commit-folders.js'
import { openRepository } from '../manifests/repository.js'

/** The source of the manifests of a submission: the working folder, or a commit. */
export interface ManifestOrigin {
  readonly commit?: string
  /** A reason that workers could fail to find them. */
  readonly warning?: string
  /** Returns the path for a word of the command line. */
  toPath(word: string): string
  /** Returns the path of a manifest for workers. */
  toOrderPath(file: string): string
  /** Returns the name of a file in messages. */
  toDisplayName(file: string): string
  close(): Promise<void>
}

export type OriginReply = Result<ManifestOrigin, Failure>

/** Long enough for a fetch with a sign-in. */
const gitTimeoutMs = 60_000

/** Finds the source of manifests. With a commit nothing is read from the work tree. */
export async function openManifestOrigin(ref: string | undefined, host: Host): Promise<OriginReply> {
  if (ref === undefined) return { ok: true, value: workingFolder }
  if (ref.startsWith('-') || /[\p{Cc}\p{Cf}]/u.test(ref))
    throw new UsageError('--from-git names a branch, a tag or a commit')
  const repository = openRepository({ folder: '.', environment: host.environment, timeoutMs: gitTimeoutMs })
  const found = await repository.resolveCommit(ref)
  if (!found.ok) return failOrigin(exitCodes.missing, `--from-git ${ref} cannot be read: ${found.error}`)
  const commit = found.value
  const prefix = await repository.prefix()
  const commits = createCommitFolders(repository, { below: tmpdir(), now: () => host.clock.now() })
  const made = prefix.ok ? await commits.openFolder(commit) : prefix
  if (!prefix.ok || !made.ok) {
    await commits.close()
    return failOrigin(exitCodes.state, `the commit ${commit} cannot be read: ${made.ok ? '' : made.error}`)
  }
  const top = made.value
  const warning = `commit ${commit.slice(0, 12)} is on no known remote branch: push it, so that workers can fetch it`
  const isPublished = await repository.isPublished(commit)
  const toOrderPath = (file: string) => withSlashes(relative(top, file))
  return {
    ok: true,
    value: {
      commit,
      ...(!isPublished && { warning }),
      toPath(word) {
        const path = join(top, prefix.value, word)
        if (word === '-' || isAbsolute(word) || !isBelow(top, path))
          throw new UsageError('with --from-git, arguments are paths in the commit')
        return path
      },
      toOrderPath,
      toDisplayName: file => (isBelow(top, file) ? `${ref}:${toOrderPath(file)}` : file),
      close: () => commits.close(),
    },
  }
}

const workingFolder: ManifestOrigin = {
  toPath(word) {
    if (word === '-') throw new UsageError('a worker cannot read standard input; name files or folders')
    return word
  },
  toOrderPath(file) {
    const here = resolve('.')
    if (!isBelow(here, resolve(file)))
      throw new UsageError(
        'workers find manifests by their paths below the current folder; run this command in a folder that contains all of them',
      )
    return withSlashes(relative(here, resolve(file)))
  },
  toDisplayName: file => file,
  close: async () => undefined,
}

function failOrigin(exitCode: ExitCode, message: string): OriginReply {
  return { ok: false, error: { exitCode, message } }
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, '/')
}
