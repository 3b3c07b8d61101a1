import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'
import { placeIn } from './processes/place.js'
import { raced } from './processes/race.js'
import { type RealSites, realSites } from './processes/real-site.js'

let sites: RealSites

beforeAll(async () => {
  sites = await realSites(1)
})

afterAll(async () => {
  sites.close()
  await removeTemporaryFolders()
})

// `npm run verify:concurrency` has more processes, runs that stand still, many rounds, state in git, and two machines.
test('of runs that start at once one configures, and the other says that another has the site', async () => {
  const place = await placeIn(join(await temporaryFolder(), 'place'), 'file', sites.urls[0] ?? '')
  const { violations } = await raced([{ place }, { place }], sites)
  expect(violations).toEqual([])
})
