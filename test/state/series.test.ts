import { join } from 'node:path'
import { fileBackend } from '../../src/state/file-backend.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { siteKey } from '../../src/state/series.js'
import { type ApiServer, apiServer } from '../support/api-server.js'
import { azurePlace } from '../support/azure-place.js'
import { type AzureServer, azureServer } from '../support/azure-server.js'
import { kubeconfig, kubernetesPlace } from '../support/kubernetes-place.js'
import { s3Place } from '../support/s3-place.js'
import { type S3Server, s3Server } from '../support/s3-server.js'
import { describeSeries } from '../support/series-suite.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

describeSeries('memory', async () => {
  const backend = memoryBackend()
  return async () => backend
})

describeSeries('file', async () => {
  const folder = join(await temporaryFolder(), 'some', 'state')
  return async () => fileBackend(folder)
})

describe('in object storage', () => {
  const servers: (S3Server | AzureServer)[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  describeSeries('s3', async () => {
    const server = await s3Server()
    servers.push(server)
    return async () => s3Place(server)
  })

  describeSeries('azblob', async () => {
    const server = await azureServer()
    servers.push(server)
    return async () => azurePlace(server)
  })
})

describe('in a cluster', () => {
  const servers: ApiServer[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  describeSeries('kubernetes', async () => {
    const server = await apiServer()
    servers.push(server)
    const config = await kubeconfig(await temporaryFolder(), server)
    return async () => kubernetesPlace(config)
  })
})

test.each([
  ['https://gis.example.org/x', /^gis\.example\.org-[0-9a-f]{12}$/],
  ['http://[::1]:8080/x', /^___1__8080-[0-9a-f]{12}$/],
  ['https://.a..b/x', /^_a_\.b-[0-9a-f]{12}$/],
  [`https://${'long.'.repeat(30)}example.org/x`, /^[a-z.]{100}-[0-9a-f]{12}$/],
])('the key of %s is a valid name for folders and refs', (site, form) => {
  expect(siteKey(site)).toMatch(form)
})
