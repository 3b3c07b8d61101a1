import { credentialTypes, isCredentialType, reportedProviderNames } from '../../src/contract/cloud.js'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Source } from '../../src/manifest/source.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../../src/schema/pointer.js'
import { aSmallManifest, changed, removed } from './manifest-value.js'

/** New values by their pointer in the manifest; `undefined` removes one. */
export type Changes = Readonly<Record<`/${string}`, JsonValue | undefined>>

/** Returns a source of the user, from text or bytes. */
export function aSource(content: string | Uint8Array, name = 'site.yaml'): Source {
  return { name, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content }
}

/** Returns a valid manifest for 11.2 without optional fields, with the given changes. */
export function aManifest(changes: Changes = {}): JsonValue {
  return Object.entries(changes).reduce<JsonValue>(
    (value, [pointer, change]) =>
      change === undefined
        ? removed(value, pointer as JsonPointer)
        : changed(value, pointer as JsonPointer, change),
    aSmallManifest(),
  )
}

/** Returns a cloud provider for `/spec/cloudStorage/0`, with the name that public sources give it. */
export function aCloudProvider(credential: JsonObject, connection: JsonValue): JsonObject {
  const { type } = credential
  const name = isCredentialType(type) ? reportedProviderNames[credentialTypes[type].provider] : 'objects'
  return { name, credential, cloudServices: [{ name: 'store', connection }] }
}

/** Returns an upgrade section whose only match expression is the given one. */
export function anUpgradeWith(expression: JsonValue): JsonObject {
  const nodeSelectorTerms = [{ matchExpressions: [expression] }]
  return {
    podPlacementPolicy: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  }
}

/** Returns the source of a manifest, as JSON, which is valid YAML. */
export function sourceOf(manifest: JsonValue): Source {
  return aSource(JSON.stringify(manifest, null, 2))
}

/** Loads a valid manifest with changes. Returns its diagnostics. */
export function diagnosticsOf(changes: Changes): readonly Diagnostic[] {
  return loadManifest(sourceOf(aManifest(changes))).diagnostics
}

/** The same, with a line of code and pointer for each diagnostic. */
export function problemsOf(changes: Changes): readonly string[] {
  return diagnosticsOf(changes).map(codeAndPointer)
}

export function codeAndPointer({ code, pointer }: Diagnostic): string {
  return `${code} ${pointer}`
}

export function pointerTo(...path: readonly (string | number)[]): JsonPointer {
  return path.reduce<JsonPointer>(appendSegment, '')
}

/** Returns the start of a diagnostic, as `line:column`. */
export function startOf({ place }: Diagnostic): string {
  return `${place?.start.line}:${place?.start.column}`
}
