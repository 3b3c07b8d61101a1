import { checkSitePolicy } from '../../../src/cli/site/site-policy.js'
import { fakeHost } from '../../support/fake-host.js'

const nothing = { url: undefined, emulate: false, 'allow-origin': [] }

/** Returns why requests to an address are rejected, for a caller that allows these origins by option or environment. */
function findRejection(
  url: string,
  allowed: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  return checkSitePolicy(url, { ...nothing, 'allow-origin': allowed }, fakeHost({ environment }))
}

describe('an origin that the caller allows', () => {
  const allowed = 'https://gis.example.org'

  test.each([
    ['https://gis.example.org.evil.example/arcgis/admin', 'begins alike'],
    ['https://gis.example.org:8443/arcgis/admin', 'has another port'],
    ['http://gis.example.org/arcgis/admin', 'is without TLS'],
    ['https://evil.example/https://gis.example.org/admin', 'has it in its path'],
    ['https://a.gis.example.org/admin', 'is below it'],
  ])('does not allow %s, which %s', url => {
    expect(findRejection(url, [allowed])).toMatchObject({
      exitCode: 78,
      next: [expect.stringContaining('--allow-origin')],
    })
    expect(findRejection(url, [], { LANDFORM_ALLOWED_ORIGINS: allowed })).toMatchObject({ exitCode: 78 })
  })

  test('allows itself, with any path, by option or by environment', () => {
    const url = 'https://gis.example.org/arcgis/admin'
    expect(findRejection(url, [`${allowed}/somewhere`])).toBeUndefined()
    expect(
      findRejection(url, [], { LANDFORM_ALLOWED_ORIGINS: `https://other.example.org, ${allowed}` }),
    ).toBeUndefined()
  })
})
