import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'
import { type Kill, killed } from './processes/kill.js'
import { placeIn } from './processes/place.js'
import { type RealSites, realSites } from './processes/real-site.js'

let sites: RealSites
let fresh = 0

beforeAll(async () => {
  sites = await realSites(3, '--fault', 'configure=delay:300ms')
})

afterAll(async () => {
  sites.close()
  await removeTemporaryFolders()
})

// `npm run verify:kill` kills at every point, with more delays and on both places for state.
test.each<[string, Kill]>([
  ['before its promise is written', { at: 12 }],
  ['before it notes the answer', { at: 15 }],
  ['while its request is under way', { at: 14, afterMs: 100 }],
])('a run that is killed %s leaves a site that the next one brings to its end', async (_, kill) => {
  const url = sites.urls[fresh] ?? ''
  fresh += 1
  const place = await placeIn(join(await temporaryFolder(), 'place'), 'file', url)
  const { violations, codes } = await killed(place, sites, kill)
  expect(violations).toEqual([])
  expect(codes[0]).toBe('crashed')
})
