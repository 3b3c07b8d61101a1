import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ServiceVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { type CleanFiles, findBases } from '../../library/clean-files.js'
import { type KnownBases, rememberBases } from '../../library/known-bases.js'
import { loadWithBases } from '../../library/load-with-bases.js'
import { policyReader } from '../../library/policies.js'
import { policyFinder } from '../../library/policy-files.js'
import type { FindBase } from '../../manifest/extends.js'
import { checkForVersion } from '../../manifest/load-manifest.js'
import { looksLikeManifest, looksLikeTestFile } from '../../manifest/looks-like-manifest.js'
import type { Manifest } from '../../manifest/manifest.js'
import { readSite } from '../../manifest/quick-check.js'
import type { SiteIdentity } from '../../manifest/site-identity.js'
import type { Source } from '../../manifest/source.js'
import { judgeBy, satisfies } from '../../policy/judge.js'
import { loadPolicy } from '../../policy/load-policy.js'
import { looksLikePolicy, type Policy } from '../../policy/policy.js'
import type { Result } from '../../result.js'
import type { JsonObject } from '../../schema/json-schema.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import type { Candidate } from './expand-files.js'
import { checkPolicyNames, fileFailure, readSource } from './read-source.js'
import { withSharedSites } from './shared-sites.js'

/** The findings of one file. */
export interface CheckedFile {
  readonly file: string
  /** The file and what it builds on; none where there is nothing to say, so that not all files are kept. */
  readonly sources: readonly Source[]
  readonly diagnostics: readonly Diagnostic[]
  /** The site of the manifest; absent where the file is not a valid manifest. */
  readonly identity?: SiteIdentity
  /** The same for other service versions, in the order they were asked for. */
  readonly versions: readonly {
    readonly version: ServiceVersion
    readonly diagnostics: readonly Diagnostic[]
  }[]
}

export interface CheckOptions {
  readonly versions: readonly ServiceVersion[]
  readonly checkSecrets: boolean
  /** The name of standard input in messages; its folder is where relative bases are searched. */
  readonly stdinName: string | undefined
  /** Policy files that the command line names. */
  readonly policies: readonly string[]
  /** Returns the value of a file without findings, by a faster check such as `readCleanValue`. */
  fastCheck(source: Source, findBase: FindBase): JsonObject | undefined
  /** Files that are known to have no findings: they are not read again. */
  readonly clean?: CleanFiles | undefined
}

export type CheckedFiles = Result<
  { readonly files: readonly CheckedFile[]; readonly skipped: number },
  Failure
> & {
  /** Further files that were read: no report may replace them. */
  readonly inputs: readonly string[]
}

/**
 * Checks files one by one. Of those found in a folder, what is neither a manifest nor a policy is skipped, and what
 * others build on is checked through them. A policy that counts for one of them is checked, too, wherever it lies.
 */
export async function checkFiles(
  candidates: readonly Candidate[],
  host: Host,
  options: CheckOptions,
): Promise<CheckedFiles> {
  const checked: (CheckedFile & { readonly how: Candidate['how'] })[] = []
  const extended = new Set<string>()
  const policiesFor = policyReader(checkPolicyNames(options.policies), policyFinder())
  const broken = new Map<string, CheckedFile>()
  const knownBases = rememberBases()
  let skipped = 0
  let tests = 0
  for (const { file, how } of candidates) {
    const known = options.clean?.get(file)
    if (known === 'skipped') {
      skipped += 1
      continue
    }
    if (known !== undefined) {
      checked.push({ file, sources: [], diagnostics: [], identity: known, versions: [], how })
      continue
    }
    const reply = await readSource(host, file, { stdinName: options.stdinName })
    if (!reply.ok) return { ...reply, inputs: [...extended] }
    if (looksLikePolicy(reply.value)) {
      checked.push({ ...checkPolicyFile(reply.value), how })
      continue
    }
    // A shell that expands a pattern also names the tests beside manifests.
    const isTests = looksLikeTestFile(reply.value)
    if (isTests || (how === 'found' && !looksLikeManifest(reply.value))) {
      skipped += 1
      tests += isTests ? 1 : 0
      continue
    }
    const at = file === '-' ? reply.value.name : file
    const around = await policiesFor(at)
    if (!around.ok) return { ok: false, error: fileFailure(around.error), inputs: [...extended] }
    for (const { path, source, loaded } of around.value)
      if (!loaded.ok) broken.set(path, checkPolicyFile(source))
    const policies = around.value.flatMap(({ loaded }) => (loaded.ok ? loaded.value : []))
    const one = await checkFile(reply.value, at, {
      ...options,
      environment: host.environment,
      policies,
      knownBases,
    })
    for (const { name } of one.sources.slice(1)) extended.add(realpathSync(name))
    checked.push({ ...one, how })
  }
  for (const path of knownBases.used) extended.add(path)
  const bases = new Set(findBases(checked, extended))
  const policies = broken.size === 0 ? [] : checked.filter(({ file }) => existsSync(file))
  const named = new Set(policies.map(({ file }) => realpathSync(file)))
  const others = [...broken].flatMap(([path, one]) => (named.has(path) ? [] : [one]))
  const files = await withSharedSites([...checked.filter(({ file }) => !bases.has(file)), ...others], host)
  const inputs = [...extended]
  if (files.length === 0)
    return {
      ok: false,
      error: { exitCode: exitCodes.missing, message: noManifest(skipped, tests) },
      inputs,
    }
  return {
    ok: true,
    value: { files, skipped: skipped + checked.length + others.length - files.length },
    inputs,
  }
}

/** Explains why nothing was checked, which is a failure: mostly the folder is the wrong one. */
function noManifest(skipped: number, tests: number): string {
  const hint = tests > 0 ? '; `landform test` runs tests' : ''
  return `no manifest found: ${skipped} ${skipped === 1 ? 'YAML file is' : 'YAML files are'} something else${hint}`
}

function checkPolicyFile(source: Source): CheckedFile {
  const loaded = loadPolicy(source)
  const diagnostics = loaded.ok ? [] : loaded.error
  return { file: source.name, sources: diagnostics.length === 0 ? [] : [source], diagnostics, versions: [] }
}

interface Checking extends Pick<CheckOptions, 'versions' | 'checkSecrets' | 'fastCheck'> {
  readonly environment: Host['environment']
  readonly policies: readonly Policy[]
  readonly knownBases: KnownBases
}

async function checkFile(
  source: Source,
  at: string,
  { versions, checkSecrets, environment, policies, fastCheck, knownBases }: Checking,
): Promise<CheckedFile> {
  const clean = { file: source.name, sources: [], diagnostics: [], versions: [] }
  const value =
    checkSecrets || versions.length > 0 ? undefined : fastCheck(source, path => knownBases.find(at, path))
  if (value !== undefined && satisfies(value, policies)) return { ...clean, identity: readSite(value) }
  const { problem, sources, loaded } = await loadWithBases(source, at, judgeBy(policies))
  const references = checkSecrets && loaded.ok ? await referencesIn(loaded.value, environment, at) : []
  return {
    file: source.name,
    sources,
    diagnostics: [...loaded.diagnostics, ...references],
    ...(loaded.ok && { identity: getIdentity(loaded.value) }),
    versions: versions.map(version => ({
      version,
      diagnostics: problem === undefined ? checkForVersion(sources, version) : [problem],
    })),
  }
}

function getIdentity({ name, site, state }: Manifest): SiteIdentity {
  return { name, url: site.url, state }
}

async function referencesIn(manifest: Manifest, environment: Host['environment'], at: string) {
  const { checkReferences } = await import('../../library/check-references.js')
  return checkReferences(manifest, environment, dirname(at))
}
