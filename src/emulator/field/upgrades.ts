import { otherReadings } from '../../contract/readings.js'
import { buildResponse, rejectRequest } from '../service/answers.js'
import { type EmulatorJsonObject, member } from '../service/json.js'
import { all, anyObject, arrayCheck, type Check } from '../service/shape.js'
import { buildUpdate } from '../service/update.js'
import type { Handler, World } from '../service/world.js'

/** Reports the state of upgrades. Sources report no state or code of a running upgrade; these are the emulator's own. */
export const upgrades: Handler = (world, request) => {
  const status = world.field.upgrading
    ? { code: 1, messages: [], state: 'in_progress' }
    : otherReadings.upgrades.printed.status
  return [world, buildResponse(request, { status })]
}

/** Returns the upgrade configuration itself, not inside `upgradeConfig`. Its value before an `update` is not reported. */
export const upgradeConfig: Handler = rejectDuringUpgrade((world, request) => [
  world,
  buildResponse(request, readCurrentConfig(world)),
])

const openConfig = checkField(
  'podPlacementPolicy',
  all(checkField('nodeAffinity', anyObject), checkField('tolerations', arrayCheck(anyObject))),
)

/**
 * Sets the upgrade configuration. Reported: it accepts properties of Kubernetes and settings of later versions that the
 * document does not show.
 */
export const update: Handler = rejectDuringUpgrade(
  buildUpdate({
    check: openConfig,
    stored: (world, sent) =>
      world.field.updateMode === 'merge' ? { ...readCurrentConfig(world), ...sent } : sent,
  }),
)

function readCurrentConfig(world: World): EmulatorJsonObject {
  const none = { podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } }
  return world.upgradeConfig ?? { ...none, ...world.field.moreUpgradeSettings }
}

/** Reported: while an upgrade runs, nothing below `system/upgrades` is available. */
function rejectDuringUpgrade(handler: Handler): Handler {
  return (world, request, now) =>
    world.field.upgrading
      ? rejectRequest(world, request, { message: 'An upgrade is in progress.' })
      : handler(world, request, now)
}

/** Checks one field and accepts any others. */
function checkField(name: string, check: Check): Check {
  return (value, place) => check(member(value, name) ?? null, `${place}.${name}`)
}
