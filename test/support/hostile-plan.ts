import { noSettings } from '../../src/plan/observation.js'
import type { Plan } from '../../src/plan/plan.js'
import { emptyRecord } from '../../src/plan/situation.js'
import { appendSegment, type JsonPointer, splitPointer } from '../../src/schema/pointer.js'
import { aManifest, aPolicy } from './a-manifest.js'
import { aPlan, inProgress, ready } from './a-plan.js'
import { anOrganization } from './an-organization.js'

const appliedAt = '2026-03-04T05:06:07.089Z'
const organization = anOrganization({ profile: 'development', systemProperties: { a: 1 }, extra: { x: 'y' } })
const desired = aManifest({ organization, policy: aPolicy() })
const settings = {
  ...noSettings('no-token'),
  profile: { kind: 'read', value: 'standard-availability' } as const,
  upgradeConfig: {
    kind: 'read',
    value: { other: 1, podPlacementPolicy: { ...aPolicy('old'), x: 1 } as never },
  } as const,
}
const record = {
  ...emptyRecord,
  serial: 3,
  organization: {
    appliedAt,
    manifest: `sha256:${'a'.repeat(64)}`,
    value: anOrganization({ logLevel: 'INFO', extra: { x: 'z' } }),
  },
}

/** Plans of every kind. The first two together have every member that a plan can have. */
export const plansOfAllKinds: readonly (readonly [string, Plan])[] = [
  ['a creation', aPlan({ desired })],
  ['edits that stop it', aPlan({ desired, observed: ready, settings, record })],
  ['an attachment', aPlan({ desired, observed: inProgress })],
  ['edits that are ignored', aPlan({ desired, observed: ready, record, ignored: ['/spec'] })],
  ['nothing that is known', aPlan({ observed: ready })],
]

/** Members whose values are words of Landform, independent of manifest and site. */
const ours = new Set(['operation', 'change', 'reason', 'verdict', 'source', 'because', 'state'])
/** Members whose values come from a manifest or a site, including their keys. */
const values = new Set(['before', 'after', 'value', 'found', 'policy', 'upgradeConfig', 'organization'])

/** Returns the plan with every text from a manifest or a site replaced by `text`. Long lists are cut. */
export function planOf(plan: Plan, text: string): Plan {
  return replaced(plan, text, '') as Plan
}

function replaced(value: unknown, text: string, name: string): unknown {
  if (ours.has(name)) return value
  if (name === 'pointer') return pointerWith(value as JsonPointer, text)
  if (name === 'files') return { [text]: text }
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.slice(0, 4).map(element => replaced(element, text, ''))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const isReference = entries.length === 1 && ['env', 'file'].includes(entries[0]?.[0] ?? '')
  if (values.has(name) && !isReference) return { [text]: text, [`${text}2`]: [text, { [text]: text }] }
  return Object.fromEntries(entries.map(([key, member]) => [key, replaced(member, text, key)]))
}

function pointerWith(pointer: JsonPointer, text: string): JsonPointer {
  const [, section = ''] = splitPointer(pointer)
  return [section, text, `${text}/~`].reduce<JsonPointer>(appendSegment, '/spec')
}
