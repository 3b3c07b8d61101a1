import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Source } from '../manifest/source.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import { loadPolicy } from '../policy/load-policy.js'
import { isAlmostPolicyName, type Policy, policyFileNames } from '../policy/policy.js'
import type { Result } from '../result.js'
import { readJailed } from '../secrets/file-jail.js'
import { type FileProblem, manifestRoot, readNamed, selectFileName } from './read-files.js'

/** A policy file with its parsed content. */
interface ReadPolicy {
  readonly source: Source
  /** The real path, with links resolved. */
  readonly path: string
  readonly loaded: Result<Policy, readonly Diagnostic[]>
}

/** The policies that apply to a manifest. */
export interface FoundPolicies {
  readonly policies: readonly ReadPolicy[]
  /** A warning for each unread file whose name is close to that of a policy. */
  readonly warnings: readonly Diagnostic[]
}

type PoliciesReply = Result<FoundPolicies, FileProblem>

/** Reads the policies that apply to the manifest of a path. Reads each policy once. */
export type ReadPolicies = (file: string) => Promise<PoliciesReply>

/**
 * Creates a reader of policies: those that the caller names apply to every manifest; others are found around one. Rules
 * only add requirements, so no policy replaces another.
 */
export function policyReader(named: readonly string[], policiesOf: PoliciesOf): ReadPolicies {
  const read = new Map<string, ReadPolicy>()
  return async file => {
    const policies = new Map<string, ReadPolicy>()
    for (const name of named) {
      const path = resolve(name)
      const known = read.get(path) ?? readNamedPolicy(name)
      if ('ok' in known) return known
      read.set(path, known)
      policies.set(known.path, known)
    }
    const around = policiesOf(dirname(file))
    for (const path of around.policies) {
      const known = read.get(path) ?? (await readFoundPolicy(path, file))
      if ('ok' in known) return known
      read.set(path, known)
      policies.set(known.path, known)
    }
    const warnings = around.unread
      .filter(path => !policies.has(path))
      .map(path => warnOfUnread(nameFound(path, file)))
    return { ok: true, value: { policies: [...policies.values()], warnings } }
  }
}

/** Creates the warning for an unread file, at its beginning because its content is unknown. */
function warnOfUnread(file: string): Diagnostic {
  const start = { line: 1, column: 1 }
  return {
    ...diagnose('policy/unread', '', { file: basename(file), name: policyFileNames[0] }),
    place: { file, start, end: start },
  }
}

/** Names a file that was found around a manifest in the same style as the manifest's path. */
function nameFound(path: string, file: string): string {
  const own = realpathSync(dirname(file))
  return selectFileName(join(dirname(file), relative(own, dirname(path)), basename(path)), path)
}

type Refused = Result<never, FileProblem>

function readNamedPolicy(name: string): ReadPolicy | Refused {
  const reply = readNamed(name, 'policy')
  if (!reply.ok) return reply
  const { value: source } = reply
  return { source, path: realpathSync(name), loaded: loadPolicy(source) }
}

/** Reads a policy under the rules of `extends`: a regular file within the root of the manifest. */
async function readFoundPolicy(path: string, file: string): Promise<ReadPolicy | Refused> {
  const root = manifestRoot(realpathSync(dirname(file)))
  const name = nameFound(path, file)
  const reply = await readJailed(root, relative(root, path), yamlLimits.bytes)
  if (reply.kind !== 'read') {
    const defect = reply.kind === 'missing' ? reply : reply.defect
    return {
      ok: false,
      error: { kind: 'file', what: 'policy', file: name, because: 'not-allowed', defect },
    }
  }
  const source = { name, bytes: reply.bytes }
  return { source, path: realpathSync(path), loaded: loadPolicy(source) }
}

/** The files around the manifests of a folder, nearest first. */
interface PolicyFiles {
  /** The policies that apply; only the file itself may be a link. */
  readonly policies: readonly string[]
  /** The files whose names are close to that of a policy. */
  readonly unread: readonly string[]
}

/** Finds the policy files that apply to the manifests of a folder. */
type PoliciesOf = (folder: string) => PolicyFiles

/**
 * Finds policy files in a folder and above it, up to the root of its manifests. All of them apply: a nearer one cannot
 * disable another. Each folder is read once.
 */
export function policyFinder(): PoliciesOf {
  const known = new Map<string, PolicyFiles>()
  const below = (folder: string, root: string): PolicyFiles => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const above = folder === root ? undefined : below(dirname(folder), root)
    const own = policyFileNames.map(name => join(folder, name)).filter(isThere)
    const all = {
      policies: [...own, ...(above?.policies ?? [])],
      unread: [...listUnread(folder), ...(above?.unread ?? [])],
    }
    known.set(folder, all)
    return all
  }
  const named = new Map<string, PolicyFiles>()
  return folder => {
    const found = named.get(folder)
    if (found !== undefined) return found
    const own = realpathSync(folder)
    const all = below(own, manifestRoot(own))
    named.set(folder, all)
    return all
  }
}

/** Lists the files of a folder whose names are close to that of a policy; none if the folder cannot be listed. */
function listUnread(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(one => one.isFile() && isAlmostPolicyName(one.name))
      .map(({ name }) => join(folder, name))
      .sort()
  } catch {
    return []
  }
}

/** True if anything exists at this path, even a dangling link: a file that cannot be read is reported, not skipped. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
