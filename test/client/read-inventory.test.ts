import { readInventory } from '../../src/client/read-inventory.js'
import type { Readable } from '../../src/plan/observation.js'
import type { JsonObject } from '../../src/schema/json-schema.js'

const stop = new AbortController().signal
const absent: Readable<never> = { kind: 'unreadable', because: 'not-offered' }

/** A site that responds to some paths, and records the requested ones. */
function aSite(bodies: Readonly<Record<string, JsonObject>>) {
  const asked: string[] = []
  const explore = async (path: string): Promise<Readable<JsonObject>> => {
    asked.push(path)
    const value = bodies[path]
    return value === undefined ? absent : { kind: 'read', value }
  }
  return { asked, explore }
}

const store = {
  id: 'store-1',
  clientPath: '/data',
  type: 'folder',
  info: { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export' },
}

test('volumes and data stores are read only in their documented structure', async () => {
  const { explore } = aSite({
    '/data': {
      userManagedStores: [
        { ...store, info: { ...store.info, password: 'canary-one' }, owner: 'canary-two' },
        { clientPath: '/other' },
      ],
      count: 2,
    },
    '/data/store-1/config/volumes': {
      volumesConfig: [
        { component: 'BLOB', size: '32Gi', storageClass: 'gp3' },
        { component: 'QUEUE', size: 'many' },
        { component: 'UNHEARD_OF', size: '32Gi' },
      ],
    },
  })
  const { volumes, dataStores, otherStores, resources } = await readInventory(explore, stop)
  const { id: _, ...documented } = store
  expect({ volumes, dataStores, otherStores }).toEqual({
    otherStores: 1,
    volumes: { BLOB: { size: '32Gi', storageClass: 'gp3' } },
    dataStores: [documented],
  })
  expect(resources).toEqual([
    { path: '/data', outcome: 'read' },
    { path: '/data/store-1/config/volumes', outcome: 'read' },
    { path: '/data/store-1/config/placementPolicy', outcome: 'not-offered' },
  ])
})

test('an identifier that could change the path is not requested, and at most twenty stores are', async () => {
  const ids = ['../../x', 'a/b', 'a?b', '', ...Array.from({ length: 30 }, (_, at) => `s${at}`)]
  const { asked, explore } = aSite({ '/data': { items: ids.map(id => ({ id })) } })
  await readInventory(explore, stop)
  expect(asked).toHaveLength(1 + 2 * 20)
  expect(asked.every(path => /^\/[\w/-]+$/.test(path))).toBe(true)
})
