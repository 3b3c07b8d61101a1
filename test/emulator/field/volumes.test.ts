import { after, ask, outcome } from '../service/builders.js'
import { aBegunSite, aGet, aPost, aToken, readyAt } from './builders.js'

const path = '/data/41c0/config/volumes'
const site = aBegunSite({ version: '11.5' })
const bearer = aToken(site, readyAt)
const grow = (component: string, size: string) => {
  const volumesConfig = JSON.stringify({ volumesConfig: [{ component, size }] })
  return { ...aPost(`${path}/edit`, { volumesConfig }), bearer }
}
const sizeOf = (component: string, world = site) => {
  const { body } = ask(world, { ...aGet(path), bearer }, readyAt)
  const volumes = body['volumesConfig'] as readonly { readonly component: string; readonly size: string }[]
  return volumes.find(one => one.component === component)?.size
}

test('a volume can be enlarged, and the site then reports its size', () => {
  const before = sizeOf('INDEXER')
  expect(before).toBeDefined()
  const grown = after(site, readyAt, grow('INDEXER', '64Gi'))
  expect([sizeOf('INDEXER', grown), sizeOf('QUEUE', grown)]).toEqual(['64Gi', sizeOf('QUEUE')])
})

test.each([
  ['a smaller size', grow('INDEXER', '1Gi'), '400 INDEXER can only be enlarged.'],
  ['a text that is not a size', grow('INDEXER', 'large'), '400 INDEXER can only be enlarged.'],
  ['an unknown volume', grow('OTHER', '64Gi'), '400 OTHER can only be enlarged.'],
  ['nothing', { ...aPost(`${path}/edit`, {}), bearer }, '400 volumesConfig is required.'],
])('%s is rejected', (_what, request, message) => {
  expect(outcome(ask(site, request, readyAt))).toBe(message)
})

test('versions before the operation do not have it', () => {
  const older = aBegunSite({ version: '11.2' })
  expect(
    outcome(ask(older, { ...grow('INDEXER', '64Gi'), bearer: aToken(older, readyAt) }, readyAt)),
  ).toMatch(/^404 /)
})
