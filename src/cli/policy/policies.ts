import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Checked } from '../../diagnostics/diagnostic.js'
import type { Source } from '../../manifest/source.js'
import { caps } from '../../manifest/yaml-limits.js'
import { loadPolicy } from '../../policy/load-policy.js'
import type { Policy } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import { readJailed } from '../../secrets/file-jail.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { manifestRoot } from '../manifest-root.js'
import type { Failure } from '../output.js'
import { nameFor } from '../read-bases.js'
import { readSource } from '../read-source.js'
import { UsageError } from '../usage-error.js'
import type { PoliciesOf } from './policy-files.js'

/** A policy file as it was read. */
export interface ReadPolicy {
  readonly source: Source
  /** Without links. */
  readonly path: string
  readonly loaded: Checked<Policy>
}

export type PoliciesReply =
  | { readonly ok: true; readonly policies: readonly ReadPolicy[] }
  | { readonly ok: false; readonly failure: Failure }

/** Reads the policies that count for a manifest, each file once. */
export type ReadPolicies = (file: string) => Promise<PoliciesReply>

/**
 * Reads policies: those that the command line names, which count for every manifest, and those that are found around
 * one. A rule only ever adds to what is asked, so none of them stands in place of another.
 */
export function policyReader(named: readonly string[], host: Host, policiesOf: PoliciesOf): ReadPolicies {
  if (named.includes('-')) throw new UsageError('--policy names a file; standard input is for the manifest')
  const read = new Map<string, ReadPolicy>()
  return async file => {
    const policies = new Map<string, ReadPolicy>()
    for (const name of named) {
      const path = resolve(name)
      const known = read.get(path) ?? (await readNamed(name, host))
      if ('ok' in known) return known
      read.set(path, known)
      policies.set(known.path, known)
    }
    for (const path of policiesOf(dirname(file))) {
      const known = read.get(path) ?? (await readFound(path, file))
      if ('ok' in known) return known
      read.set(path, known)
      policies.set(known.path, known)
    }
    return { ok: true, policies: [...policies.values()] }
  }
}

type Refused = PoliciesReply & { readonly ok: false }

async function readNamed(name: string, host: Host): Promise<ReadPolicy | Refused> {
  const reply = await readSource(host, name, { what: 'policy' })
  if (!reply.ok) return reply
  const { source } = reply
  return { source, path: realpathSync(name), loaded: loadPolicy(source) }
}

/** By the rules of `extends`: a regular file, in the root of the manifest. It is named as the manifest is. */
async function readFound(path: string, file: string): Promise<ReadPolicy | Refused> {
  const own = realpathSync(dirname(file))
  const root = manifestRoot(own)
  const name = nameFor(join(dirname(file), relative(own, dirname(path)), basename(path)), path)
  const reply = await readJailed(root, relative(root, path), caps.bytes)
  if (reply.kind !== 'read') {
    const problem = reply.kind === 'missing' ? 'does not exist' : reply.problem
    const message = `the policy ${display(name)} ${problem}`
    return { ok: false, failure: { exitCode: exitCodes.invalid, message } }
  }
  const source = { name, bytes: reply.bytes }
  return { source, path: realpathSync(path), loaded: loadPolicy(source) }
}
