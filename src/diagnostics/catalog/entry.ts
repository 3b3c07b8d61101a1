/** The severity of a diagnostic: errors stop a command, warnings can be made to, notes never do. */
export type Severity = 'error' | 'warning' | 'note'

/** The one right fix of a mistake, at the place of its diagnostic. */
export type Fix =
  /** Renames the key. */
  | { readonly kind: 'rename'; readonly to: string }
  /** Replaces the value. */
  | { readonly kind: 'replace'; readonly by: string | number }
  /** Makes the value the only element of a list. */
  | { readonly kind: 'list' }

/** The wording of a code and the part of the source it marks. All wording about the user's text is in this folder. */
export interface CatalogEntry<F> {
  readonly severity: Severity
  /**
   * The phase that reports it: reading the manifest, resolving its references, evaluating the policies of the team,
   * comparing manifests that are checked together, comparing with the site or with a cluster, or reading a policy, a
   * scenario, a test file or a property file.
   */
  readonly phase:
    | 'manifest'
    | 'references'
    | 'rules'
    | 'files'
    | 'plan'
    | 'cluster'
    | 'policy'
    | 'scenario'
    | 'properties'
    | 'test'
  /** The part of the source that is marked: the key of the field, or its value. */
  readonly marks: 'key' | 'value'
  /**
   * The source of the rule: a section of the service document, `Kubernetes`, `YAML 1.2.2`, `Landform`, or
   * `Reported: …` with the public sources of a fact that the document does not show, which is at most a warning.
   */
  readonly source: string
  /** The problem in a few words. */
  readonly title: string
  readonly message: (facts: F) => string
  readonly help?: (facts: F) => string | undefined
  /** The part of the value that is marked. */
  readonly part?: (facts: F) => string
  /** The fix, if there is exactly one. */
  readonly fix?: (facts: F) => Fix | undefined
}

/** Gives an entry the type of its facts. */
export function defineEntry<F>(entry: CatalogEntry<F>): CatalogEntry<F> {
  return entry
}

/** The facts of an entry that needs none. */
export interface NoFacts {
  readonly [fact: string]: never
}
