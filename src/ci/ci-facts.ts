/** The facts of the files below `examples/ci`: the answers to `init` in the README. */
export const exampleFacts: CiFacts = {
  name: 'production',
  manifest: 'site.yaml',
  origin: 'https://gis.example.org',
  variables: ['LANDFORM_ADMIN_PASSWORD', 'LANDFORM_SECURITY_ANSWER'],
  readVariables: ['LANDFORM_ADMIN_PASSWORD'],
  files: [],
  azureState: false,
}

/** The facts about one site in the files of CI systems. */
export interface CiFacts {
  /** The name in its manifest, which its environment has, too. */
  readonly name: string
  /** Path of the manifest from the root of the repository. */
  readonly manifest: string
  /** The only origin that may be called. */
  readonly origin: string
  /** Names of the environment variables that apply reads. */
  readonly variables: readonly string[]
  /** Names of those among them that a command needs that only reads the site. */
  readonly readVariables: readonly string[]
  /** Files that the manifest names and that have none of the usual endings, from the root of the repository. */
  readonly files: readonly string[]
  /** True for state in Azure Blob Storage, for which a job needs an identity. */
  readonly azureState: boolean
}

/** The wait for the lock of a runner that died: longer than its lease of 15 minutes and the tolerance for its clock. */
export const lockTimeout = '20m'

/** The usual endings of manifests, bases, policies, packages, licenses and certificates. */
export const inputEndings = ['yaml', 'yml', 'json', 'ecp', 'pem', 'crt', 'cer'] as const

/** The files that a plan can depend on, as patterns that GitHub, GitLab and git (with `GIT_GLOB_PATHSPECS`) understand alike. */
export const inputPatterns: readonly string[] = inputEndings.map(ending => `**/*.${ending}`)
