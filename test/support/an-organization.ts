import type { Organization } from '../../src/manifest/manifest.js'

const volume = { size: '16Gi', storageClass: 'gp3', labels: { tier: 'storage', app: 'gis' } } as const

/** Returns an organization with the fields that `configure` requires, and the given changes. */
export function anOrganization(changes: Partial<Organization> = {}): Organization {
  return {
    license: { file: 'licenses/site.json' },
    administrator: {
      username: 'siteadmin',
      password: { env: 'LANDFORM_ADMIN_PASSWORD' },
      email: 'admin@example.org',
      fullName: 'Site Administrator',
      userType: 'creatorUT',
      securityQuestion: { index: 13, answer: { env: 'LANDFORM_SECURITY_ANSWER' } },
    },
    volumes: {
      RELATIONAL_PRIMARY: volume,
      RELATIONAL_SECONDARY: volume,
      BLOB: volume,
      IN_MEM_CACHE: volume,
      QUEUE: volume,
      INDEXER: volume,
      SHARING: volume,
      REST_METRICS_API: volume,
    },
    ...changes,
  }
}
