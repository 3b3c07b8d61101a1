import { credentialTypes, isCredentialType, reportedProviderNames } from '../../src/contract/cloud.js'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Source } from '../../src/manifest/source.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../../src/schema/pointer.js'
import { aSmallManifest, changed, removed } from './manifest-value.js'

/** New values by their place in the manifest; `undefined` takes one away. */
export type Changes = Readonly<Record<`/${string}`, JsonValue | undefined>>

/** A file of the user, from text or from bytes. */
export function aSource(content: string | Uint8Array, name = 'site.yaml'): Source {
  return { name, bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content }
}

/** A valid manifest for 11.2 with nothing optional in it, but for the changes. */
export function aManifest(changes: Changes = {}): JsonValue {
  return Object.entries(changes).reduce<JsonValue>(
    (value, [pointer, change]) =>
      change === undefined
        ? removed(value, pointer as JsonPointer)
        : changed(value, pointer as JsonPointer, change),
    aSmallManifest(),
  )
}

/** One cloud provider for `/spec/cloudStorage/0`, named as public sources name it. */
export function aCloudProvider(credential: JsonObject, connection: JsonValue): JsonObject {
  const { type } = credential
  const name = isCredentialType(type) ? reportedProviderNames[credentialTypes[type].provider] : 'objects'
  return { name, credential, cloudServices: [{ name: 'store', connection }] }
}

/** An upgrade section whose one expression is the given one. */
export function anUpgradeWith(expression: JsonValue): JsonObject {
  const nodeSelectorTerms = [{ matchExpressions: [expression] }]
  return {
    podPlacementPolicy: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  }
}

/** The file of a manifest; JSON is YAML. */
export function sourceOf(manifest: JsonValue): Source {
  return aSource(JSON.stringify(manifest, null, 2))
}

/** What is said of a valid manifest after some changes. */
export function diagnosticsOf(changes: Changes): readonly Diagnostic[] {
  return loadManifest(sourceOf(aManifest(changes))).diagnostics
}

/** The same as lines of code and pointer. */
export function problemsOf(changes: Changes): readonly string[] {
  return diagnosticsOf(changes).map(codeAndPointer)
}

export function codeAndPointer({ code, pointer }: Diagnostic): string {
  return `${code} ${pointer}`
}

/** The pointer of a place, from plain segments. */
export function pointerTo(...path: readonly (string | number)[]): JsonPointer {
  return path.reduce<JsonPointer>(appendSegment, '')
}

/** Where a diagnostic begins, as `line:column`. */
export function startOf({ place }: Diagnostic): string {
  return `${place?.start.line}:${place?.start.column}`
}
