import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tls from 'node:tls'
import { httpDouble } from '../../support/http-double.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { type Ended, runProgram } from '../../support/program.js'
import { aDoor } from './door.js'
import { aCaller, type Caller, type Operation, operations } from './operations.js'
import { names } from './tls-cases.js'
import type { TlsGround } from './try-tls.js'

/** A claim about a real process whose environment affects TLS. */
export interface TlsClaim {
  readonly what: string
  /** True if the short form includes it. */
  readonly isShort: boolean
  violations(ground: TlsGround): Promise<readonly string[]>
}

type Environment = Readonly<Record<string, string>>

function started({ words, secrets, folder }: Caller, url: string, environment: Environment): Promise<Ended> {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, ...secrets.environment, ...environment }
  return runProgram(process.execPath, [landformProgram, ...words(url)], { env, cwd: folder })
}

function unless(holds: boolean, { code, stdout, stderr }: Ended, what: string): readonly string[] {
  return holds ? [] : [`${what}; it exited with ${code}: ${stdout}${stderr}`]
}

const switchedOff = (operation: Operation): TlsClaim => ({
  what: `${operation} is rejected with NODE_TLS_REJECT_UNAUTHORIZED=0`,
  isShort: operation === 'configure',
  async violations({ house, trusted }) {
    const caller = await aCaller(operation, house)
    const door = await aDoor(() => house.port)
    const url = `https://localhost:${door.port}${caller.housed.path}`
    const ended = await started(caller, url, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
    const { environment } = await believing(caller, trusted.authority.cert)
    const control = await started(caller, url, environment)
    return [
      ...unless(ended.code === 78, ended, 'it is not rejected'),
      ...unless(control.code === 0, control, 'without the variable and with a known authority, it fails'),
      ...unless(caller.housed.heard.length > 0, control, 'the site received nothing'),
    ]
  },
})

/** Returns an environment in which Node.js trusts an authority. */
async function believing({ folder }: Caller, authority: string) {
  const file = join(folder, 'machine.pem')
  writeFileSync(file, authority)
  return { environment: { NODE_EXTRA_CA_CERTS: file } as Environment }
}

/** A program that uses the library, for `node --eval`. */
const planning = `
  import { planSite } from '${root}/dist/src/index.js'
  const [file, url] = process.argv.slice(1)
  const planned = await planSite({ file, url, environment: process.env, state: undefined })
  process.stdout.write(JSON.stringify(planned.ok ? 'planned' : planned.error))`

export const tlsClaims: readonly TlsClaim[] = [
  ...operations.map(switchedOff),
  {
    what: 'the library verifies certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0',
    isShort: true,
    async violations({ house }) {
      const caller = await aCaller('observe', house)
      const { environment } = caller.secrets
      const url = `https://localhost:${house.port}${caller.housed.path}`
      const ended = await runProgram(
        process.execPath,
        ['--input-type=module', '--eval', planning, join(caller.folder, 'site.yaml'), url],
        { env: { ...process.env, ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, cwd: caller.folder },
      )
      return [
        ...unless(
          /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/.test(ended.stdout),
          ended,
          'no verification error is reported',
        ),
        ...unless(caller.housed.heard.length === 0, ended, 'the site received a request'),
      ]
    },
  },
  {
    what: 'SSLKEYLOGFILE creates no file, and causes a warning',
    isShort: true,
    async violations({ house, trusted }) {
      const caller = await aCaller('observe', house, trusted.authority.cert)
      const keys = join(caller.folder, 'keys')
      const url = `https://localhost:${house.port}${caller.housed.path}`
      const ended = await started(caller, url, { SSLKEYLOGFILE: keys })
      return [
        ...unless(ended.code === 0, ended, 'it fails'),
        ...unless(!existsSync(keys), ended, 'the keys of the connection are in a file'),
        ...unless(ended.stderr.includes('warning: SSLKEYLOGFILE'), ended, 'there is no warning'),
      ]
    },
  },
  {
    what: 'an authority of the machine is trusted in addition to that of the manifest',
    isShort: true,
    async violations({ house, trusted }) {
      const caller = await aCaller('observe', house)
      const beside = await aCaller('observe', house, tls.rootCertificates[0])
      const { environment } = await believing(caller, trusted.authority.cert)
      const asked = async (one: Caller, surroundings: Environment) =>
        started(one, `https://localhost:${house.port}${one.housed.path}`, surroundings)
      const [known, unknown, both] = [
        await asked(caller, environment),
        await asked(caller, {}),
        await asked(beside, environment),
      ]
      // Older versions of Node.js cannot list their default authorities.
      const isTold = 'getCACertificates' in tls
      return [
        ...unless(known.code === 0, known, 'NODE_EXTRA_CA_CERTS has no effect'),
        ...unless(unknown.code === 77, unknown, 'an unknown authority is trusted'),
        ...unless(both.code === (isTold ? 0 : 77), both, 'caFile replaces the authorities of the machine'),
      ]
    },
  },
  {
    what: 'options of Node.js do not enable old versions of TLS',
    isShort: false,
    async violations({ house, trusted }) {
      const caller = await aCaller('observe', house, trusted.authority.cert)
      const old = {
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL@SECLEVEL=0',
      } as const
      const site = trusted.authority.issue('localhost', { names })
      const server = await httpDouble([], { ...site, ...old })
      const ended = await started(caller, `https://localhost:${server.port}/admin`, {
        NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=ALL@SECLEVEL=0',
      })
      return [
        ...unless(ended.code === 77, ended, 'an old version of TLS is accepted'),
        ...unless(server.received.join('') === '', ended, 'the site received bytes'),
      ]
    },
  },
]
