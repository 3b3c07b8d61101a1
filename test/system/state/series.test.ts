import { bareRepository, checkout, gitBackendIn } from '../../support/git-repositories.js'
import { postgresIsHere, postgresPackages } from '../../support/postgres.js'
import { type PostgresState, postgresState } from '../../support/postgres-state.js'
import { describeSeries } from '../../support/series-suite.js'
import { removeTemporaryFolders } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'

afterEach(removeTemporaryFolders)

describeSeries('git', async () => {
  const bare = await bareRepository()
  return async () => gitBackendIn(await checkout(bare))
})

describeWhere(postgresIsHere, postgresPackages)('with PostgreSQL', () => {
  let database: PostgresState
  beforeAll(async () => {
    database = await postgresState()
  })
  afterAll(() => database.stop())

  describeSeries('postgres', async () => {
    await database.empty()
    return async () => database.run().backend
  })
})
