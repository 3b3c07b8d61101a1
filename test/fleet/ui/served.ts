import {
  type FleetPage,
  type FleetPageOptions,
  startFleetPage,
} from '../../../packages/fleet/src/ui/server.js'
import { computeSha256 } from '../../../packages/fleet/src/ui/sessions.js'
import { manualTimers } from '../../support/manual-timers.js'
import { aFleet, type FakeFleet } from './a-fleet.js'

/** What readers have to know, where they have to know anything. */
export const token = 'correct-horse-battery-staple'

const running: FleetPage[] = []

/** For `afterEach`: what was served to a test ends with it. */
export async function closePages(): Promise<void> {
  await Promise.all(running.splice(0).map(page => page.close()))
}

/** Serves a fleet, on a clock that stands still and with timers that fire when a test says so. */
export async function served(
  fleet: FakeFleet = aFleet(),
  { isGuarded = false, ...options }: Partial<FleetPageOptions> & { readonly isGuarded?: boolean } = {},
) {
  const timers = manualTimers()
  const clock = { now: 0 }
  const page = await startFleetPage({
    source: fleet,
    listen: { host: '127.0.0.1', port: 0 },
    every: timers.every,
    now: () => clock.now,
    ...(isGuarded && { tokenDigest: computeSha256(token) }),
    ...options,
  })
  running.push(page)
  return {
    page,
    fleet,
    timers,
    /** As if a second had passed. */
    second() {
      clock.now += 1000
      fleet.now += 1000
      timers.fire('short')
    },
    clock,
  }
}
