import type { CatalogRule, ManifestDocument } from './catalog/rule.js'
import {
  catalog,
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticFacts,
  diagnose,
} from './diagnostic.js'

/** Checks a manifest with every rule of the catalog. */
export function checkManifest(manifest: ManifestDocument): readonly Diagnostic[] {
  return checks.flatMap(([code, check]) =>
    Array.from(check(manifest), ([pointer, facts]) =>
      diagnose(code, pointer, facts as DiagnosticFacts<DiagnosticCode>),
    ),
  )
}

const checks = Object.entries(catalog).flatMap(
  ([code, entry]): readonly (readonly [DiagnosticCode, CatalogRule<unknown>['check']])[] =>
    'check' in entry ? [[code as DiagnosticCode, entry.check]] : [],
)
