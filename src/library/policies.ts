import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Source } from '../manifest/source.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import { loadPolicy } from '../policy/load-policy.js'
import { type Policy, policyFileNames } from '../policy/policy.js'
import type { Result } from '../result.js'
import { readJailed } from '../secrets/file-jail.js'
import { type FileProblem, manifestRoot, readNamed, selectFileName } from './read-files.js'

/** A policy file with its parsed content. */
export interface ReadPolicy {
  readonly source: Source
  /** Real path, without links. */
  readonly path: string
  readonly loaded: Result<Policy, readonly Diagnostic[]>
}

export type PoliciesReply = Result<readonly ReadPolicy[], FileProblem>

/** Reads the policies that apply to a manifest, each file once. */
export type ReadPolicies = (file: string) => Promise<PoliciesReply>

/**
 * Creates a reader of the policies that the caller names, which apply to every manifest, and of those that are found
 * around one. Rules only add requirements, so no policy replaces another.
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
    for (const path of policiesOf(dirname(file))) {
      const known = read.get(path) ?? (await readFoundPolicy(path, file))
      if ('ok' in known) return known
      read.set(path, known)
      policies.set(known.path, known)
    }
    return { ok: true, value: [...policies.values()] }
  }
}

type Refused = Result<never, FileProblem>

function readNamedPolicy(name: string): ReadPolicy | Refused {
  const reply = readNamed(name, 'policy')
  if (!reply.ok) return reply
  const { value: source } = reply
  return { source, path: realpathSync(name), loaded: loadPolicy(source) }
}

/** Reads a policy by the rules of `extends`: a regular file within the root of the manifest. */
async function readFoundPolicy(path: string, file: string): Promise<ReadPolicy | Refused> {
  const own = realpathSync(dirname(file))
  const root = manifestRoot(own)
  const name = selectFileName(join(dirname(file), relative(own, dirname(path)), basename(path)), path)
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

/**
 * Lists the policy files that apply to the manifests of a folder, nearest first; only the file itself may be a link.
 */
export type PoliciesOf = (folder: string) => readonly string[]

/**
 * Finds policy files in a folder and above it, up to the root of its manifests. All of them apply: a nearer one cannot
 * disable another. Each folder is read once.
 */
export function policyFinder(): PoliciesOf {
  const known = new Map<string, readonly string[]>()
  const below = (folder: string, root: string): readonly string[] => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const own = policyFileNames.map(name => join(folder, name)).filter(isThere)
    const all = folder === root ? own : [...own, ...below(dirname(folder), root)]
    known.set(folder, all)
    return all
  }
  const named = new Map<string, readonly string[]>()
  return folder => {
    const found = named.get(folder)
    if (found !== undefined) return found
    const own = realpathSync(folder)
    const all = below(own, manifestRoot(own))
    named.set(folder, all)
    return all
  }
}

/** True for anything at this path, even a dangling link: a file that cannot be read is reported, not skipped. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}
