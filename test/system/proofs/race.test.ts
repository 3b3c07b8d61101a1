import { join } from 'node:path'
import { placeIn } from '../../proofs/processes/place.js'
import { raced } from '../../proofs/processes/race.js'
import { type RealSites, realSites } from '../../proofs/processes/real-site.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

let sites: RealSites

beforeAll(async () => {
  sites = await realSites(1)
})

afterAll(async () => {
  sites.close()
  await removeTemporaryFolders()
})

// `npm run verify -- concurrency` has more processes, runs that stand still, many rounds, state in git, and two machines.
test('of runs that start at once one configures, and the other says that another has the site', async () => {
  const place = await placeIn(join(await temporaryFolder(), 'place'), 'file', sites.urls[0] ?? '')
  const { violations } = await raced([{ place }, { place }], sites)
  expect(violations).toEqual([])
})
