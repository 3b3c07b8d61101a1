import { closeDoubles, connectProxy } from '../../../support/http-double.js'
import type { Place } from './place.js'
import type { Scene } from './scene.js'

/** Options of a site that requires a client certificate. */
export const mutualTls = ({ authority }: Place) => ({
  ...authority.issue('gis.example.org'),
  ca: authority.cert,
  requestCert: true,
  rejectUnauthorized: true,
})

/** A site that requires sign-in, behind a proxy with a password. */
export const setting = {
  emulator: () => ({}),
  tls: mutualTls,
} as const

/** Signs in with an account that gets no token and with one that does, over TLS with a client key and the proxy. */
export async function guarded(scene: Scene): Promise<void> {
  const { place, front, ledger, run } = scene
  const { canaries, control } = place
  const proxy = await connectProxy({ toPort: front.port })
  const HTTPS_PROXY = `http://${control.value}:${encodeURIComponent(canaries.proxyPassword)}@127.0.0.1:${proxy.port}`
  const client = { certificate: 'tls/client.pem', privateKey: scene.reference('clientKey') }
  const tls = { caFile: 'tls/authority.pem', client }
  const url = `https://gis.example.org${new URL(front.url).pathname}`
  const as = (signIn: object) => ({ url, tls, signIn })
  const other = place.write(
    'other.yaml',
    as({ username: 'other', password: scene.reference('signInPassword') }),
  )
  const own = place.write('own.yaml', as({ as: 'administrator' }))
  const environment = { HTTPS_PROXY }
  const expect = async (code: number, ...words: readonly string[]) => {
    const ended = await run(words, { environment, channel: 'a guarded site' })
    if (ended !== code) scene.report(`${words.join(' ')} at a guarded site ended with ${ended}`)
  }
  // Until the site is ready, its administrator signs in; after that, the named account, which gets no token.
  await expect(0, 'apply', other, '--yes', '-v', '--timeout', '60s')
  await expect(77, 'plan', other, '-v')
  await expect(0, 'apply', own, '--yes', '-v', '--timeout', '60s')
  await expect(0, 'status', own, '-v')
  const [first = '', ...more] = proxy.received.map(text => text.slice(0, text.indexOf('\r\n\r\n')))
  for (const head of [first, ...more])
    ledger.see('requests to a proxy', `${head.replace(/^proxy-authorization:.*$/im, '')} of ${control.value}`)
  for (const head of front.heads) ledger.see('addresses and headers of requests over TLS', head)
  ledger.seeFiles('state of a guarded site', `${place.folder}/.landform`)
  await closeDoubles()
}
