import { noUpgrade } from '../../contract/field-operations.js'
import { answer, refuse } from '../service/answers.js'
import { type JsonObject, member } from '../service/json.js'
import { all, anyObject, type Check, listOf } from '../service/shape.js'
import { updating } from '../service/update.js'
import type { Handler, World } from '../service/world.js'

/** Reports the state of upgrades. State and code of a running upgrade are not reported; these are the emulator's own. */
export const upgrades: Handler = (world, request) => {
  const status = world.field.upgrading ? { code: 1, messages: [], state: 'in_progress' } : noUpgrade
  return [world, answer(request, { status })]
}

/** Returns the upgrade configuration itself, not inside `upgradeConfig`. Its value before an `update` is not reported. */
export const upgradeConfig: Handler = whileNoUpgrade((world, request) => [
  world,
  answer(request, currentConfig(world)),
])

const openConfig = within(
  'podPlacementPolicy',
  all(within('nodeAffinity', anyObject), within('tolerations', listOf(anyObject))),
)

/**
 * Sets the upgrade configuration. Reported: it accepts properties of Kubernetes, and settings of later versions, that the
 * document does not show.
 */
export const update: Handler = whileNoUpgrade(
  updating({
    check: openConfig,
    stored: (world, sent) =>
      world.field.updateMode === 'merge' ? { ...currentConfig(world), ...sent } : sent,
  }),
)

function currentConfig(world: World): JsonObject {
  const none = { podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } }
  return world.upgradeConfig ?? { ...none, ...world.field.moreUpgradeSettings }
}

/** Reported: while an upgrade runs, nothing below `system/upgrades` is available. */
function whileNoUpgrade(handler: Handler): Handler {
  return (world, request, now) =>
    world.field.upgrading
      ? refuse(world, request, { message: 'An upgrade is in progress.' })
      : handler(world, request, now)
}

/** Checks one field and accepts any others. */
function within(name: string, check: Check): Check {
  return (value, place) => check(member(value, name) ?? null, `${place}.${name}`)
}
