import { bareRepository, checkout, gitBackendIn } from '../../support/git-repositories.js'
import { describeDatabase } from '../../support/postgres.js'
import { postgresState } from '../../support/postgres-state.js'
import { describeSeries } from '../../support/series-suite.js'

describeSeries('git', async () => {
  const bare = await bareRepository()
  return async () => gitBackendIn(await checkout(bare))
})

describeDatabase('with PostgreSQL', postgresState, database => {
  describeSeries('postgres', async () => {
    await database.empty()
    return async () => database.run().backend
  })
})
