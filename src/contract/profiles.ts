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
