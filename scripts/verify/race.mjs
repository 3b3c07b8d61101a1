// Lets 2 to 8 processes apply the same site at once, round for round, with state in files and in git (where each has a
// checkout of its own); then stops the run that has a site, lets another come, and wakes or kills the first.
// `npm run verify:race [-- --short]`; `--rounds N`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeIn } from '../../dist/test/proofs/processes/place.js'
import { raced, stopped } from '../../dist/test/proofs/processes/race.js'
import { realSites } from '../../dist/test/proofs/processes/real-site.js'
import { complain, conclude, count, figures, say } from './check.mjs'

const { rounds } = figures({ rounds: [2, 20] })
const points = ['after add 1', 'before connect', 'after add 2', 'before send', 'after send', 'after add 3']
const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))

const sites = await realSites(2 * rounds + 4 * points.length)
const fresh = [...sites.urls]
try {
  for (const kind of ['file', 'git']) {
    let runs = 0
    for (let round = 0; round < rounds; round += 1) {
      const place = await placeIn(join(folder, `${kind}-${round}`), kind, fresh.pop())
      const places = Array.from({ length: 2 + (round % 7) }, () => place)
      runs += places.length
      count('races')
      complain(`${kind}, round ${round}`, await raced(places, sites))
    }
    say(`${kind}: ${rounds} rounds of 2 to 8 processes, ${runs} runs`)
    for (const then of ['wakes', 'dies']) {
      // What was promised and never sent is waited for, for a minute, and an operator has the last word.
      const chosen = then === 'wakes' ? points : points.filter(point => !/add 2|before send/.test(point))
      for (const point of chosen) {
        const place = await placeIn(join(folder, `${kind}-${then}-${point}`), kind, fresh.pop())
        count('stops')
        complain(`${kind}, stopped ${point}`, await stopped(place, sites, { point, then }))
      }
      say(`${kind}: stopped at ${chosen.length} points: it ${then}`)
    }
  }
} finally {
  sites.close()
  rmSync(folder, { recursive: true, force: true })
}
conclude()
