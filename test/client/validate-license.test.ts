import { validateLicense } from '../../src/client/validate-license.js'
import { Secret } from '../../src/secrets/secret.js'
import { answeringSite } from '../support/answering-site.js'
import { stopRawServers } from '../support/raw-server.js'

afterEach(stopRawServers)

test('a site that never answers is silent once the time is over, and gets the license once', async () => {
  const { url, posts } = await answeringSite(() => undefined)
  const license = new Secret(Buffer.from('{}'))
  const { signal } = new AbortController()
  const answer = await validateLicense({ url, license, route: {}, deadlineMs: 500, signal })
  expect(answer).toEqual({ kind: 'silent' })
  expect(posts().map(({ path }) => path)).toEqual([expect.stringMatching(/\/license\/validateLicense$/)])
})
