/** The facts of the files below `examples/ci`: the answers to `init` in the README. */
export const exampleFacts: CiFacts = {
  name: 'production',
  manifest: 'site.yaml',
  origin: 'https://gis.example.org',
  variables: ['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER'],
  readVariables: ['LANDFORM_ADMIN_PASSWORD'],
}

/** The facts that the files of CI systems are generated from. */
export interface CiFacts {
  readonly name: string
  /** Path of the manifest from the root of the repository. */
  readonly manifest: string
  /** The only origin that may be called. */
  readonly origin: string
  /** Names of the environment variables that apply reads. */
  readonly variables: readonly string[]
  /** Names of those among them that a command needs that only reads the site. */
  readonly readVariables: readonly string[]
}

/** The wait for the lock of a runner that died: longer than its lease of 15 minutes and the tolerance for its clock. */
export const lockTimeout = '20m'
