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

/** What each profile is for and what it costs, in one text. Service §2.10. */
export const profileMeanings = Object.fromEntries(
  Object.entries(architectureProfiles).map(([name, { use, hardware }]) => [name, `${use} ${hardware}`]),
)

export type ArchitectureProfile = keyof typeof architectureProfiles
export const profileNames = Object.keys(architectureProfiles) as ArchitectureProfile[]

/** What the service uses when `configure` names no profile. Service §2.10, §4.3. */
export const defaultProfile: ArchitectureProfile = 'standard-availability'

/** The profile that is unsupported for production. Service §2.10. */
export const nonProductionProfile: ArchitectureProfile = 'development'

/**
 * The two profiles that stand in place of one from 12.1 on. Their values are those of the vendor's property file; under which
 * names `configure` takes them is not public (deployment guides 12.1).
 */
export const reportedProfiles = {
  since: '12.1',
  source: 'Reported: deployment guides 12.1',
  names: {
    availability: {
      meaning: 'Availability profile: how much redundancy the deployment gets.',
      options: {
        development: 'Least redundancy; not for production.',
        standard: 'Replicas where they matter most.',
        enhanced: 'Most redundancy.',
      },
    },
    performance: {
      meaning: 'Performance profile: how much hardware the deployment gets.',
      options: { standard: 'Moderate hardware.', enhanced: 'Most hardware.' },
    },
  },
} as const
