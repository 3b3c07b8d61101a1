import { describe, expect, test } from '@jest/globals'
import { exitCodes } from '../../src/cli/exit-code.js'
import { landform } from '../support/landform.js'
import { freePort } from '../support/raw-server.js'
import { someSecrets } from '../support/some-secrets.js'

const quickstart = 'examples/quickstart.yaml'
const site = 'https://gis.example.org/arcgis/admin'
const looking = ['status', quickstart, '--url', site]

describe('a proxy in the environment', () => {
  test('that cannot be reached: 69, without its password', async () => {
    const environment = { ...someSecrets, HTTPS_PROXY: `http://me:S3cret@127.0.0.1:${await freePort()}` }
    const { exitCode, out, err } = await landform(looking, { environment })
    expect(exitCode).toBe(exitCodes.unreachable)
    expect(err).toContain('the proxy gave no way to the site (ECONNREFUSED); nothing was sent')
    expect(out + err).not.toContain('S3cret')
  })

  test('that is of another kind: 78, without its password', async () => {
    const environment = { ...someSecrets, ALL_PROXY: 'socks5://me:S3cret@127.0.0.1:1' }
    const { exitCode, out, err } = await landform(looking, { environment })
    expect(exitCode).toBe(exitCodes.refused)
    expect(err).toContain('the proxy in ALL_PROXY cannot be used: it names a socks5 proxy')
    expect(out + err).not.toContain('S3cret')
  })
})

test('an address of the link, where clouds keep credentials: 78', async () => {
  const looking = ['status', quickstart, '--url', 'https://169.254.169.254/admin']
  const { exitCode, err } = await landform(looking, { environment: someSecrets })
  expect(exitCode).toBe(exitCodes.refused)
  expect(err).toContain('stands at an address that Landform sends nothing to')
})
