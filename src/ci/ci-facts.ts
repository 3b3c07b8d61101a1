/** What the files below `examples/ci` are made from: the answers that the README gives to `init`. */
export const exampleFacts: CiFacts = {
  name: 'production',
  manifest: 'site.yaml',
  origin: 'https://gis.example.org',
  variables: ['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER'],
}

/** What the files of CI systems are made from. */
export interface CiFacts {
  readonly name: string
  /** Path of the manifest from the root of the repository. */
  readonly manifest: string
  /** The one origin that may be called. */
  readonly origin: string
  /** Names of the environment variables that apply reads. */
  readonly variables: readonly string[]
}
