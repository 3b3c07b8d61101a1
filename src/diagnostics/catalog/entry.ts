import type { Fix } from '../fix.js'

/** How much a diagnostic matters: errors stop, warnings may be made to, notes never. */
export type Severity = 'error' | 'warning' | 'note'

/** How a code reads, and what it points at. All wording about the user's text is in this folder. */
export interface CatalogEntry<F> {
  readonly severity: Severity
  /**
   * When it can arise: reading the manifest, following its references, holding it against the rules of the team, or
   * against others that are checked with it, comparing it with the site, or with what a cluster has, or reading a policy, a scenario, tests or a property file.
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
   * Where the knowledge comes from: a section of the service document, `Kubernetes`, `YAML 1.2.2`, `Landform`, or
   * `Reported: …` with the public sources of what the document does not show, which is never more than a warning.
   */
  readonly source: string
  /** The problem in a few words. */
  readonly title: string
  readonly message: (facts: F) => string
  readonly help?: (facts: F) => string | undefined
  /** What `explain` says: why it matters and how to mend it, as paragraphs of Markdown. */
  readonly explanation: string
  /** A few lines of YAML with the mistake, and the same lines mended. */
  readonly example?: { readonly wrong: string; readonly right: string }
  /** The mend, where there is one right answer. */
  readonly fix?: (facts: F) => Fix | undefined
}

/** Gives an entry the type of its facts. */
export function entry<F>(entry: CatalogEntry<F>): CatalogEntry<F> {
  return entry
}

/** The facts of an entry that needs none. */
export interface None {
  readonly [fact: string]: never
}
