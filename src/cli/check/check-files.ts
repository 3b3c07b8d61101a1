import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { ServiceVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { KnownFindings } from '../../library/check-references.js'
import { policyFinder, policyReader } from '../../library/policies.js'
import { type KnownBases, loadWithBases } from '../../library/read-bases.js'
import { checkForVersion } from '../../manifest/load-manifest.js'
import type { Manifest } from '../../manifest/manifest.js'
import type { Source } from '../../manifest/source.js'
import { judgeBy } from '../../policy/judge.js'
import { loadPolicy } from '../../policy/load-policy.js'
import type { Policy } from '../../policy/policy.js'
import { exitCodes } from '../../report/exit-code.js'
import { formatSkipped } from '../../report/findings-text.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import type { Candidate } from './expand-files.js'
import { findKind } from './found-files.js'
import { checkPolicyNames, fileFailure, readSource } from './read-source.js'
import { type Checked, type SiteIdentity, withSharedSites } from './shared-sites.js'

/** The findings of one file. */
export interface CheckedFile extends Checked {
  /** The findings for other service versions, in the requested order. */
  readonly versions: readonly {
    readonly version: ServiceVersion
    readonly diagnostics: readonly Diagnostic[]
  }[]
}

interface CheckOptions {
  readonly versions: readonly ServiceVersion[]
  readonly checkSecrets: boolean
  /** The name of standard input in messages; relative bases are resolved against its folder. */
  readonly stdinName: string | undefined
  /** Policy files that the command line names. */
  readonly policies: readonly string[]
}

type CheckedFiles = Result<
  { readonly files: readonly CheckedFile[]; readonly skipped: readonly string[] },
  Failure
> & {
  /** Further files that were read: no report may replace them. */
  readonly inputs: readonly string[]
}

/**
 * Checks files one by one. Of the files found in a folder, only manifests and policies are checked, and bases only through
 * the manifests that extend them. Policies that apply to a manifest are checked as well, in any folder.
 */
export async function checkFiles(
  candidates: readonly Candidate[],
  host: Host,
  options: CheckOptions,
): Promise<CheckedFiles> {
  const checked: (CheckedFile & { readonly how: Candidate['how'] })[] = []
  const read = new Set<string>()
  const named = new Set<string>()
  const listInputs = () => [
    ...read,
    ...[...named].filter(path => existsSync(path)).map(path => realpathSync(path)),
  ]
  const policiesFor = policyReader(checkPolicyNames(options.policies), policyFinder())
  const broken = new Map<string, CheckedFile>()
  const known = { bases: new Map(), findings: new Map() } satisfies Known
  const skipped: Candidate[] = []
  let hasTests = false
  for (const candidate of candidates) {
    const { file, how } = candidate
    const reply = await readSource(host, file, { stdinName: options.stdinName })
    if (!reply.ok) return { ...reply, inputs: listInputs() }
    const kind = findKind(candidate, reply.value)
    if (kind === 'policy') {
      checked.push({ ...checkPolicyFile(reply.value), how })
      continue
    }
    if (kind !== 'manifest') {
      skipped.push(candidate)
      hasTests ||= kind === 'tests'
      continue
    }
    const at = file === '-' ? reply.value.name : file
    const around = await policiesFor(at)
    if (!around.ok) return { ok: false, error: fileFailure(around.error), inputs: listInputs() }
    const { policies: found, warnings } = around.value
    for (const { path, source, loaded } of found) if (!loaded.ok) broken.set(path, checkPolicyFile(source))
    const policies = found.flatMap(({ loaded }) => (loaded.ok ? loaded.value : []))
    const one = await checkFile(reply.value, at, {
      ...options,
      environment: host.environment,
      policies,
      known,
    })
    for (const { name } of one.sources.slice(1)) read.add(realpathSync(name))
    for (const path of one.named) named.add(path)
    const diagnostics = [...warnings, ...one.diagnostics]
    const isClean = diagnostics.length === 0 && one.versions.length === 0
    checked.push({ ...one, diagnostics, sources: isClean ? [] : one.sources, how })
  }
  const inputs = listInputs()
  const isRead = readThroughOthers(new Set(inputs))
  const policies = broken.size === 0 ? [] : checked.filter(({ file }) => existsSync(file))
  const checkedPolicies = new Set(policies.map(({ file }) => realpathSync(file)))
  const others = [...broken].flatMap(([path, one]) => (checkedPolicies.has(path) ? [] : [one]))
  const files = await withSharedSites([...checked.filter(one => !isRead(one)), ...others], host)
  if (files.length === 0)
    // That is a failure, because the folder is usually the wrong one.
    return {
      ok: false,
      error: {
        exitCode: exitCodes.missing,
        message: `no manifest found: ${formatSkipped(skipped.length)}${hasTests ? '; `landform test` runs tests' : ''}`,
      },
      inputs,
    }
  return {
    ok: true,
    value: { files, skipped: skipped.filter(one => !isRead(one)).map(({ file }) => file) },
    inputs,
  }
}

/** Tests whether a file of a folder is a base or a license of a manifest: it is checked through that manifest. */
function readThroughOthers(read: ReadonlySet<string>): (candidate: Candidate) => boolean {
  const names = new Set([...read].map(path => basename(path)))
  return ({ file, how }) => how === 'found' && names.has(basename(file)) && read.has(realpathSync(file))
}

function checkPolicyFile(source: Source): CheckedFile {
  const loaded = loadPolicy(source)
  const diagnostics = loaded.ok ? [] : loaded.error
  return { file: source.name, sources: diagnostics.length === 0 ? [] : [source], diagnostics, versions: [] }
}

/** What earlier manifests of the same run have read. */
interface Known {
  readonly bases: KnownBases
  readonly findings: KnownFindings
}

interface Checking extends Pick<CheckOptions, 'versions' | 'checkSecrets'> {
  readonly environment: Host['environment']
  readonly policies: readonly Policy[]
  readonly known: Known
}

async function checkFile(
  source: Source,
  at: string,
  { versions, checkSecrets, environment, policies, known }: Checking,
): Promise<CheckedFile & { readonly named: readonly string[] }> {
  const { problem, layers, sources, loaded } = await loadWithBases(source, at, judgeBy(policies), known.bases)
  const outside = loaded.ok
    ? await checkOutside(loaded.value, dirname(at), known.findings, checkSecrets ? environment : undefined)
    : { problems: [], files: [] }
  // A copy, because a substring keeps the whole text in memory.
  const findings = structuredClone({
    diagnostics: [...loaded.diagnostics, ...outside.problems],
    ...(loaded.ok && { identity: getIdentity(loaded.value) }),
    versions: versions.map(version => ({
      version,
      diagnostics: problem === undefined ? checkForVersion(layers, version) : [problem],
    })),
  })
  return { file: source.name, sources, ...findings, named: outside.files }
}

function getIdentity({ name, site, state }: Manifest): SiteIdentity {
  return { name, url: site.url, state }
}

/** Checks what a manifest refers to: its files and, given an environment, its secrets. */
async function checkOutside(
  manifest: Manifest,
  folder: string,
  known: KnownFindings,
  environment: Host['environment'] | undefined,
) {
  const [{ checkNamedFiles, checkReferences }, { listFilePaths }] = await Promise.all([
    import('../../library/check-references.js'),
    import('../../library/site.js'),
  ])
  const problems = await (environment === undefined
    ? checkNamedFiles(manifest, folder, known)
    : checkReferences(manifest, environment, folder))
  return { problems, files: listFilePaths(manifest, folder) }
}
