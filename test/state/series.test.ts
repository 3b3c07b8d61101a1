import { join } from 'node:path'
import { fileBackend } from '../../src/state/file-backend.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
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
