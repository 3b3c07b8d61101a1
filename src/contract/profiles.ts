/** The architecture profiles. Service §2.7, §2.10. */
export const architectureProfiles = {
  'enhanced-availability': {
    use: 'Business-critical production with the highest availability.',
    hardware: 'Most replicas, most hardware.',
  },
  'standard-availability': {
    use: 'Production with little unplanned downtime.',
    hardware: 'Replicated pods, moderate hardware.',
  },
  development: {
    use: 'Testing and evaluation only; unsupported for production.',
    hardware: 'Only publishing tools are replicated; least hardware.',
  },
} as const

/** The use and the hardware of each profile, in one text. Service §2.10. */
export const profileMeanings = Object.fromEntries(
  Object.entries(architectureProfiles).map(([name, { use, hardware }]) => [name, `${use} ${hardware}`]),
)

type ArchitectureProfile = keyof typeof architectureProfiles
export const profileNames = Object.keys(architectureProfiles) as ArchitectureProfile[]

/** The default profile of the service. Service §2.10, §4.3. */
export const defaultProfile: ArchitectureProfile = 'standard-availability'

/** The profile that is unsupported for production. Service §2.10. */
export const nonProductionProfile: ArchitectureProfile = 'development'

/**
 * The two profiles that replace `profile` since 12.1. Their values are those of the vendor's property file; their parameter
 * names in `configure` are not public (deployment guides 12.1).
 */
export const reportedProfiles = {
  since: '12.1',
  source: 'Reported: deployment guides 12.1',
  names: {
    availability: {
      meaning: 'The availability profile determines the redundancy of the deployment.',
      options: {
        development: 'Least redundancy; not for production.',
        standard: 'Replicas where they matter most.',
        enhanced: 'Most redundancy.',
      },
    },
    performance: {
      meaning: 'The performance profile determines the hardware of the deployment.',
      options: { standard: 'Moderate hardware.', enhanced: 'Most hardware.' },
    },
  },
} as const

/** The names of each profile, with the use of each. */
export const profileUses = {
  profile: Object.fromEntries(Object.entries(architectureProfiles).map(([name, { use }]) => [name, use])),
  availability: reportedProfiles.names.availability.options,
  performance: reportedProfiles.names.performance.options,
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** The names of all profiles, of any version. */
export const anyProfileNames: readonly string[] = Object.values(profileUses).flatMap(Object.keys)

export type DeploymentProfile = keyof (typeof reportedProfiles)['names']
