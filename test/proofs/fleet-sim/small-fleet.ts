import { computeFraction } from '../../../src/emulator/service/timeline.js'
import { aSetting, hourMs, type Setting } from './setting.js'

const waves = ['100%', '1,10%,100%', '50%', '3,6,20%']

/** A fleet of some dozens of sites to which everything may happen, by a seed. */
export function smallFleet(seed: number): Setting {
  const draw = (what: string, from: number, to: number) =>
    from + Math.floor(computeFraction(seed, `small ${what}`) * (to - from + 1))
  const workers = draw('workers', 2, 6)
  const sites = draw('sites', 20, 120)
  const deaths = Array.from({ length: draw('deaths', 0, workers - 1) }, (_, worker) => ({
    worker,
    atMs: computeFraction(seed, `death ${worker}`) * 6 * hourMs,
  }))
  return aSetting({
    seed,
    workers,
    sites,
    limit: draw('limit', 2, 12),
    ...(draw('is limited', 0, 1) === 1 && { fleetLimit: draw('fleet limit', 3, 30) }),
    keepsGoing: draw('keeps going', 0, 1) === 1,
    waves: waves[draw('waves', 0, waves.length - 1)] ?? '100%',
    ...(draw('is urgent', 0, 1) === 1 && {
      urgent: { sites: draw('urgent', 1, 20), afterMs: draw('urgent after', 0, 3) * hourMs },
    }),
    ...(draw('is again', 0, 1) === 1 && {
      again: { sites: draw('again', 1, sites), afterMs: (draw('again after', 0, 12) / 4) * hourMs },
    }),
    deaths,
  })
}
