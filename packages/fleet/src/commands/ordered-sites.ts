import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Diagnostic, Result, Source } from 'landform'
import {
  type ExitCode,
  exitCodes,
  type Failure,
  type Host,
  loadFailure,
  type OpenedSite,
  type OpenResult,
  redactLines,
  UsageError,
} from 'landform/cli'
import type { ReadLines } from 'landform/report'
import { isBelow, listFilePaths, loadSite, normalizeSiteUrl, readNamed, renameFiles } from 'landform/sites'
import { openRepository } from '../manifests/repository.js'
import { computeManifestDigest } from '../model/manifest-digest.js'

/** The source of the manifests of a submission: the working folder, or a commit. */
export interface ManifestOrigin {
  readonly commit?: string
  /** The reason why workers may not find the manifests. */
  readonly warning?: string
  /** The folder that the paths for workers start from. */
  readonly top: string
  toPath(word: string): string
  toDisplayName(file: string): string
  /** Lists the files that differ from an earlier commit, as paths in the commit; `undefined` if unknown. */
  listChanges(since: string): Promise<ReadonlySet<string> | undefined>
  close(): Promise<void>
}

const openWorkingFolder = (): ManifestOrigin => ({
  top: resolve('.'),
  toPath(word) {
    if (word === '-') throw new UsageError('a worker cannot read standard input; name files or folders')
    return word
  },
  toDisplayName: file => file,
  listChanges: async () => undefined,
  close: async () => undefined,
})

/** Opens the source of manifests. With a commit, nothing is read from the work tree. */
export async function openManifestOrigin(
  ref: string | undefined,
  host: Host,
): Promise<Result<ManifestOrigin, Failure>> {
  if (ref === undefined) return { ok: true, value: openWorkingFolder() }
  if (ref.startsWith('-') || /[\p{Cc}\p{Cf}]/u.test(ref))
    throw new UsageError('--from-git must be the name of a branch or a tag, or a commit')
  const repository = openRepository('.', host)
  const found = await repository.resolveCommit(ref)
  const fail = (exitCode: ExitCode, message: string) => ({ ok: false, error: { exitCode, message } }) as const
  if (!found.ok) return fail(exitCodes.missing, `--from-git ${ref} cannot be read: ${found.error}`)
  const { commit, prefix } = found.value
  const made = await repository.openFolder(commit)
  if (!made.ok) return fail(exitCodes.state, `the commit ${commit} cannot be read: ${made.error}`)
  const top = made.value
  const warning = `commit ${commit.slice(0, 12)} is on no known remote branch: push it, so that workers can fetch it`
  const origin: ManifestOrigin = {
    commit,
    top,
    ...(!(await repository.isPublished(commit)) && { warning }),
    toPath(word) {
      const path = join(top, prefix, word)
      if (word === '-' || isAbsolute(word) || !isBelow(top, path))
        throw new UsageError('with --from-git, manifests and policies must be paths in the commit')
      return path
    },
    toDisplayName: file => (isBelow(top, file) ? `${ref}:${relative(top, file)}` : file),
    listChanges: since => repository.listChanges(since, commit),
    close: () => repository.close(),
  }
  return { ok: true, value: origin }
}

/** A site ready for submission: its manifest passed every check, and nothing else was read. */
export interface OrderedSite extends OpenedSite {
  readonly ordered: string
  readonly digest: string
  /** The files of the site, as paths in the commit. */
  readonly files: readonly string[]
  readonly warnings: readonly Diagnostic[]
  readonly readLines: ReadLines
}

/** Checks a manifest with its bases and the named policies. Uses no network, no secret and no site. */
export async function openOrderedSite(
  file: string,
  { origin, policies }: { readonly origin: ManifestOrigin; readonly policies: readonly string[] },
): Promise<OpenResult<OrderedSite>> {
  const { top, toDisplayName } = origin
  const renameSource = (source: Source) => ({ ...source, name: toDisplayName(source.name) })
  const rename = (diagnostic: Diagnostic) => renameFiles(diagnostic, toDisplayName)
  const named = readNamed(file, 'manifest')
  const read = named.ok ? await loadSite(named.value, { file, policies }) : named
  if (!read.ok) {
    const problem = { ...read.error, file: toDisplayName(read.error.file) }
    if (problem.kind === 'file') return { ok: false, error: loadFailure(problem) }
    const diagnostics = problem.diagnostics.map(rename)
    const sources = problem.sources.map(renameSource)
    return { ok: false, error: loadFailure({ ...problem, diagnostics, sources }) }
  }
  if (!isBelow(top, resolve(file)))
    throw new UsageError(
      'manifests must be below the current folder, because workers find them by their paths below it; run this command in a folder that contains all of them',
    )
  const { manifest, sources, policies: kept, warnings } = read.value
  const inputs = [
    ...[...sources.map(({ name }) => name), ...kept.map(policy => policy.file)],
    ...listFilePaths(manifest, dirname(file)),
  ]
  return {
    ok: true,
    value: {
      manifest,
      url: normalizeSiteUrl(manifest.site.url),
      inputs,
      files: inputs.map(input => relative(top, resolve(input))),
      ordered: relative(top, resolve(file)),
      digest: computeManifestDigest(read.value),
      warnings: warnings.map(rename),
      readLines: redactLines(sources.map(renameSource)),
      close: async () => undefined,
    },
  }
}
