import { join } from 'node:path'
import { answeringSite, http, json, withoutCacheBuster } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const stateOf = (state: string) => json({ resources: ['orgs'], fullVersion: '11.2.0', status: { state } })

/** A site that answers only at its address with a slash, as a servlet container does, and is ready after some polls. */
async function redirecting(location = '/portal/admin/', looks = 0) {
  let left = looks
  const toGet = (path: string) => {
    if (path.startsWith('/portal/admin?')) return http(302, '', `location: ${location}\r\n`)
    if (!path.startsWith('/portal/admin/?')) return json({}, 404)
    left -= 1
    return left < 0 ? stateOf('ready') : stateOf('in_progress')
  }
  const site = await answeringSite(json({ status: 'success' }), ({ path }) => toGet(path))
  const roots = () =>
    site
      .gets()
      .map(({ path }) => path)
      .filter(path => /^\/portal\/admin\/?\?/.test(path))
      .map(withoutCacheBuster)
  return { ...site, roots }
}

test.each(['/portal/admin/', '/portal/admin/?f=json', 'admin/'])(
  'a redirect to %s is followed, and the form with a slash is used from then on',
  async location => {
    const { url, roots } = await redirecting(location, 3)
    const { exitCode } = await landform(['status', 'examples/quickstart.yaml', '--url', url, '--wait'])
    expect(exitCode).toBe(0)
    const [first, ...others] = roots()
    expect(first).toBe('/portal/admin?f=json')
    expect(others.length).toBeGreaterThan(3)
    expect(new Set(others)).toEqual(new Set(['/portal/admin/?f=json']))
  },
)

test('a slash in an address is sent, and both forms are the same site', async () => {
  const { url, roots } = await redirecting()
  const state = `file:${join(await temporaryFolder(), 'kept')}`
  const run = (command: string, address: string, more: readonly string[] = []) =>
    landform([command, 'examples/quickstart.yaml', '--url', address, '--state', state, ...more], {
      environment: someSecrets,
    })
  expect((await run('apply', `${url}/`, ['--yes'])).exitCode).toBe(0)
  expect(new Set(roots())).toEqual(new Set(['/portal/admin/?f=json']))
  const { exitCode, out } = await run('apply', url, ['--yes'])
  expect(exitCode).toBe(0)
  expect(out).toContain('= update     no change: the placement policy matches the manifest')
})

test('a redirect to another host is not followed, whatever its path', async () => {
  const { url, roots } = await redirecting('https://other.example.org/portal/admin/')
  const { exitCode, err } = await landform(['status', 'examples/quickstart.yaml', '--url', url])
  expect(exitCode).toBe(78)
  expect(err).toContain(
    'unexpected redirect (HTTP 302) to https://other.example.org/portal/admin/; not followed',
  )
  expect(roots()).toEqual(['/portal/admin?f=json'])
})
