import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type ExitCode, exitCodes } from '../../../../src/cli/exit-code.js'
import type { Host } from '../../../../src/cli/host.js'
import type { Failure } from '../../../../src/cli/terminal/output.js'
import { UsageError } from '../../../../src/cli/usage-error.js'
import { isBelow } from '../../../../src/library/manifest-root.js'
import type { Result } from '../../../../src/result.js'
import { commitFolders } from '../manifests/commit-folders.js'
import { repositoryAt } from '../manifests/repository.js'

/** The source of the manifests of a submission: the working folder, or a commit. */
export interface ManifestOrigin {
  readonly commit?: string
  /** A reason that workers may not find them. */
  readonly warning?: string
  /** Returns the path for a word of the command line. */
  pathOf(word: string): string
  /** Returns the path by which workers find a manifest. */
  orderedAs(file: string): string
  /** Returns the name of a file in messages. */
  shown(file: string): string
  close(): Promise<void>
}

export type OriginReply = Result<ManifestOrigin, Failure>

/** Long enough for a fetch with a sign-in. */
const gitTimeoutMs = 60_000

/** Finds the source of manifests. With a commit nothing is read from the work tree. */
export async function manifestOrigin(ref: string | undefined, host: Host): Promise<OriginReply> {
  if (ref === undefined) return { ok: true, value: workingFolder }
  if (ref.startsWith('-') || /[\p{Cc}\p{Cf}]/u.test(ref))
    throw new UsageError('--from-git names a branch, a tag or a commit')
  const repository = repositoryAt({ folder: '.', environment: host.environment, timeoutMs: gitTimeoutMs })
  const found = await repository.commitOf(ref)
  if (!found.ok) return refused(exitCodes.missing, `--from-git ${ref} cannot be read: ${found.error}`)
  const commit = found.value
  const prefix = await repository.prefix()
  const commits = commitFolders(repository, { below: tmpdir(), now: () => host.clock.now() })
  const made = prefix.ok ? await commits.folderOf(commit) : prefix
  if (!prefix.ok || !made.ok) {
    await commits.close()
    return refused(exitCodes.state, `the commit ${commit} cannot be read: ${made.ok ? '' : made.error}`)
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
      pathOf(word) {
        const path = join(top, prefix.value, word)
        if (word === '-' || isAbsolute(word) || !isBelow(top, path))
          throw new UsageError('with --from-git, arguments are paths in the commit')
        return path
      },
      orderedAs: toOrderPath,
      shown: file => (isBelow(top, file) ? `${ref}:${toOrderPath(file)}` : file),
      close: () => commits.close(),
    },
  }
}

const workingFolder: ManifestOrigin = {
  pathOf(word) {
    if (word === '-') throw new UsageError('a worker cannot read standard input; name files or folders')
    return word
  },
  orderedAs(file) {
    const here = resolve('.')
    if (!isBelow(here, resolve(file)))
      throw new UsageError(
        'workers find manifests by their paths below the current folder; run this command in a folder that contains all of them',
      )
    return withSlashes(relative(here, resolve(file)))
  },
  shown: file => file,
  close: async () => undefined,
}

function refused(exitCode: ExitCode, message: string): OriginReply {
  return { ok: false, error: { exitCode, message } }
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, '/')
}
