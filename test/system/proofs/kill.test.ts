import { join } from 'node:path'
import { killed } from '../../proofs/processes/kill.js'
import { placeIn } from '../../proofs/processes/place.js'
import { type RealSites, realSites } from '../../proofs/processes/real-site.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

let sites: RealSites

beforeAll(async () => {
  sites = await realSites(1)
})

// `npm run verify -- kill` kills at every point, during requests, at random, and with state in git.
test('after a run that is killed before it records the response, the next run completes the site', async () => {
  const place = await placeIn(join(await temporaryFolder(), 'place'), 'file', sites.urls[0] ?? '')
  const { violations, codes, point } = await killed(place, sites, { at: 'after send' })
  expect([violations, point]).toEqual([[], 'after send'])
  expect(codes[0]).toBe('crashed')
})
