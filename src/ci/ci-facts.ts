/** The facts in the files of `examples/ci`: those of the `init` command in the README. */
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
  /** `metadata.name`, which is also the name of the environment in the CI system. */
  readonly name: string
  /** Path of the manifest from the root of the repository. */
  readonly manifest: string
  /** The only origin that may be called. */
  readonly origin: string
  /** Names of the environment variables that apply reads. */
  readonly variables: readonly string[]
  /** The subset of `variables` that commands need if they only read the site. */
  readonly readVariables: readonly string[]
  /** Files that the manifest names, but that have none of the usual endings; from the root of the repository. */
  readonly files: readonly string[]
  /** True for state in Azure Blob Storage, for which a job needs an identity. */
  readonly azureState: boolean
}

/** The wait for a lock: longer than the lease of a dead runner (15 minutes) and the tolerance for its clock. */
export const lockTimeout = '20m'

/** The usual endings of manifests, bases, policies, packages, licenses and certificates. */
export const inputEndings = ['yaml', 'yml', 'json', 'ecp', 'pem', 'crt', 'cer'] as const

/** The files that a plan can depend on, as patterns with one meaning in GitHub, GitLab and git (with `GIT_GLOB_PATHSPECS`). */
export const inputPatterns: readonly string[] = inputEndings.map(ending => `**/*.${ending}`)
