import { nonProductionProfile } from '../../contract/profiles.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { formatDotted } from '../../diagnostics/pointer.js'
import { select, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** `gis-prod` and `Production`, but neither `products` nor `pre-prod`. */
const production = /(?<![a-z0-9])(?<!(?<![a-z0-9])(?:no|non|not|pre)[^a-z0-9]+)prod(?:uction)?(?![a-z0-9])/i

/** A manifest whose name or labels mention production has a profile that is supported there. Service §2.10. */
export const developmentIsNotProduction: Rule = function* ({ index }) {
  const [profile] = select(index, '/spec/profile')
  if (profile?.value !== nonProductionProfile) return
  const mention = selectAll(index, ['/metadata/name', '/metadata/labels/*']).find(
    ({ value: text }) => typeof text === 'string' && production.test(text),
  )
  if (mention === undefined) return
  const facts = { where: formatDotted(mention.pointer), says: String(mention.value) }
  yield diagnose('profile/development-in-production', profile.pointer, facts)
}
