import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { anAuthority } from '../../support/certificate.js'
import { freePort } from '../../support/http-double.js'
import { keepPackage } from '../../support/other-nodes.js'
import { ask } from '../../support/real/ask.js'
import { type Service, startService } from '../../support/real/service.js'

/** The newest version that runs on Node 20. */
const version = '3.35.0'

/** The packages that Azurite requires. */
export const azuritePackages = `azurite ${version} of npm`

/** Installs Azurite with npm. Returns true if it is available. */
export async function hasAzurite(): Promise<boolean> {
  return existsSync(findProgram())
}

function findProgram(): string {
  return join(keepPackage('landform-azurite', 'azurite', version), 'dist', 'src', 'blob', 'main.js')
}

/** The account that Azurite has from the start. */
export const azuriteAccount = 'devstoreaccount1'

/** Azurite, Microsoft's emulator of Azure Blob Storage, on loopback. It accepts tokens, and only over TLS. */
export interface RealAzurite {
  readonly version: string
  readonly url: string
  /** The file with the certificate authority. */
  readonly ca: string
  readonly authority: string
  /** The same server without TLS, for clients in this process, whose trusted authorities cannot change. */
  readonly plainUrl: string
  /** Restarts the server at the same port, with its data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts Azurite, with its files in a folder. */
export async function realAzurite(folder: string): Promise<RealAzurite> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const authority = anAuthority('Azurite', { isAuthority: true })
  const { cert, key } = authority.issue('127.0.0.1', { names: ['127.0.0.1'] })
  const files = { 'ca.pem': authority.cert, 'cert.pem': cert, 'key.pem': key }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
  const url = `https://127.0.0.1:${port}`
  const words = [
    ...['--blobHost', '127.0.0.1', '--blobPort', `${port}`, '--location', folder],
    ...['--oauth', 'basic', '--cert', join(folder, 'cert.pem'), '--key', join(folder, 'key.pem')],
    ...['--silent', '--disableTelemetry'],
  ]
  const start = () =>
    startService('azurite', [process.execPath, findProgram(), ...words], {
      folder,
      isReady: async () => (await ask(url, { ca: authority.cert })).status > 0,
    })
  let service: Service = await start()
  const plain = createServer(socket => {
    const far = connect({ port, host: '127.0.0.1', ca: authority.cert })
    socket.pipe(far).pipe(socket)
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
  })
  const plainPort = await freePort()
  await new Promise<void>(resolve => plain.listen(plainPort, '127.0.0.1', resolve))
  return {
    version,
    url,
    ca: join(folder, 'ca.pem'),
    authority: authority.cert,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    async restart() {
      // Azurite writes its data every few seconds and on exit.
      await service.stop('SIGTERM')
      service = await start()
    },
    async stop() {
      await new Promise(resolve => plain.close(resolve))
      await service.stop()
    },
  }
}

/** Creates a token like those of Entra, but with an invalid signature. */
export function azureToken(claims: Readonly<Record<string, unknown>> = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const usual = {
    aud: 'https://storage.azure.com',
    iss: 'https://sts.windows.net/11111111-2222-3333-4444-555555555555/',
    iat: now,
    nbf: now - 60,
    exp: now + 3600,
  }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...usual, ...claims })}`
  return `${text}.${createHmac('sha256', 'nobody checks it').update(text).digest('base64url')}`
}
