import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'
import { placeIn } from './processes/place.js'
import { raced, stopped } from './processes/race.js'
import { type RealSites, realSites } from './processes/real-site.js'

let sites: RealSites

beforeAll(async () => {
  sites = await realSites(3)
})

afterAll(async () => {
  sites.close()
  await removeTemporaryFolders()
})

const placeOf = async (site: number) =>
  placeIn(join(await temporaryFolder(), 'place'), 'file', sites.urls[site] ?? '')

// `npm run verify:concurrency` has more processes, many rounds, state in git, and two machines.
test('of runs that start at once one configures, and the others say that another has the site', async () => {
  const place = await placeOf(0)
  const { violations } = await raced([{ place }, { place }, { place }], sites)
  expect(violations).toEqual([])
})

test.each([
  [1, 'before send', 'wakes'],
  [2, 'after add 1', 'dies'],
] as const)(
  'site %i: who finds a run stopped %s sends nothing, and when it %s all goes on',
  async (site, point, then) => {
    expect(await stopped(await placeOf(site), sites, { point, then })).toEqual([])
  },
)
