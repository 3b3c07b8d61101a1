import { createHash } from 'node:crypto'
import { parseVersion } from '../contract/version.js'
import type { Checked, Diagnostic } from '../diagnostics/diagnostic.js'
import { declaredVersion } from './declared-version.js'
import { type Manifest, type PodPlacementPolicy, placed, type SiteDeployment, type Spec } from './manifest.js'
import { rules } from './rules/all.js'
import { schemaDiagnostics } from './schema-diagnostics.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/**
 * Reads a manifest: YAML, then its schema, then the rules. Every problem comes back at once, with its place, in
 * the order of the file; warnings alone do not stop it.
 */
export function loadManifest(source: Source): Checked<Manifest> {
  const { document, diagnostics: yaml } = parseYaml(source)
  if (document === undefined || hasError(yaml)) return { ok: false, diagnostics: yaml }
  const { value } = document
  const manifest = { value, version: declaredVersion(value) }
  const found = [
    ...schemaDiagnostics(value, pointer => document.written(pointer)),
    ...rules.flatMap(rule => [...rule(manifest)]),
  ]
  const diagnostics = found.map(diagnostic => placed(document, diagnostic)).sort(byPlace)
  if (hasError(diagnostics)) return { ok: false, diagnostics }
  return { ok: true, value: manifestOf(value as unknown as SiteDeployment, source, document), diagnostics }
}

function manifestOf(content: SiteDeployment, source: Source, document: YamlDocument): Manifest {
  const { site, upgrade, ...organization } = content.spec
  const version = parseVersion(site.version)
  if (version === undefined) throw new Error('the schema let a version through that is none')
  return {
    name: content.metadata.name,
    site: { ...site, version },
    organization,
    ...(upgrade !== undefined && { policy: completed(upgrade.podPlacementPolicy) }),
    file: source.name,
    digest: `sha256:${createHash('sha256').update(source.bytes).digest('hex')}`,
    place: (pointer, marks) => document.place(pointer, marks),
  }
}

/** Writes the defaults out, so that a policy with and one without them are equal and are sent alike. */
function completed(policy: NonNullable<Spec['upgrade']>['podPlacementPolicy']): PodPlacementPolicy {
  return { nodeAffinity: policy.nodeAffinity ?? {}, tolerations: policy.tolerations ?? [] }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [left, right] = [a.place?.start, b.place?.start]
  if (left === undefined || right === undefined) return 0
  return left.line - right.line || left.column - right.column
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
