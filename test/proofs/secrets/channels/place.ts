import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { credentialTypes } from '../../../../src/contract/cloud.js'
import { anAuthority } from '../../../support/certificate.js'
import { root } from '../../../support/manifests.js'
import { type Canaries, canariesOf, controlOf, type SecretName } from '../canaries.js'

/** The kinds of references in a manifest. */
export type Sources = 'variables' | 'files' | 'both'

/** A folder for manifests that use every secret, with the files and variables that they need. */
export interface Place {
  readonly folder: string
  readonly canaries: Canaries
  /** A text in fields that are not secret, and in names of files. */
  readonly control: ReturnType<typeof controlOf>
  readonly seed: number
  /** The variables that the references name. */
  readonly environment: Readonly<Record<string, string>>
  /** Formats a reference as an option: `env:NAME` or `file:PATH`. */
  option(name: SecretName): string
  /** Tests whether a file holds secrets on purpose. */
  isSource(path: string): boolean
  /** Writes a manifest with a section about the site, and returns its path. */
  write(
    name: string,
    site: Readonly<Record<string, unknown>>,
    more?: Readonly<Record<string, unknown>>,
  ): string
  readonly authority: ReturnType<typeof anAuthority>
}

/** Options of an export to a container, without its key. */
export const container = [
  '--container',
  'https://a.example/c',
  '--account-name',
  'a',
  '--account-endpoint',
  'e.example',
]

/** Creates a place with the canaries of a seed; `secrets` replaces some of them. */
export function placeIn(
  folder: string,
  seed: number,
  {
    sources = 'both',
    secrets = {},
  }: { readonly sources?: Sources; readonly secrets?: Partial<Canaries> } = {},
): Place {
  const authority = anAuthority('An authority of our own')
  const client = authority.issue('landform')
  const canaries: Canaries = { ...canariesOf(seed), clientKey: client.key, ...secrets }
  const control = controlOf(seed)
  const environment: Record<string, string> = {}
  const inFile = (name: string) => sources === 'files' || (sources === 'both' && name.length % 2 === 0)
  const variable = (name: string) => `LANDFORM_${name.toUpperCase()}`
  for (const name of ['secrets', 'licenses', 'tls']) mkdirSync(join(folder, name), { recursive: true })
  for (const [name, value] of Object.entries(canaries)) {
    if (name === 'license' || name === 'serverLicense') writeFileSync(join(folder, 'licenses', name), value)
    else if (inFile(name)) writeFileSync(join(folder, 'secrets', name), value)
    else environment[variable(name)] = value
  }
  writeFileSync(join(folder, 'tls/authority.pem'), authority.cert)
  writeFileSync(join(folder, 'tls/client.pem'), client.cert)
  const reference = (name: SecretName) =>
    inFile(name) ? { file: `secrets/${name}` } : { env: variable(name) }
  const base = parse(readFileSync(join(root, 'examples/placement-policy.yaml'), 'utf8'))
  return {
    folder,
    canaries,
    control,
    seed,
    environment,
    option: name => (inFile(name) ? `file:secrets/${name}` : `env:${variable(name)}`),
    isSource: path => path.startsWith(join(folder, 'secrets')) || path.startsWith(join(folder, 'licenses')),
    authority,
    write(name, site, more = {}) {
      const { administrator, ...spec } = base.spec
      const manifest = {
        ...base,
        metadata: { name: control.value },
        spec: {
          ...spec,
          state: `${site['url']}`.startsWith('https://gis') ? 'file:.landform' : undefined,
          site: { version: '11.2', ...site },
          license: { file: 'licenses/license' },
          administrator: {
            ...administrator,
            username: `admin${control.value}`,
            password: reference('password'),
            description: `About ${control.value}`,
            securityQuestion: { question: 'What is your dream job?', answer: reference('answer') },
          },
          cloudStorage: providers(reference),
          ...more,
        },
      }
      writeFileSync(join(folder, name), stringify(manifest))
      return join(folder, name)
    },
  }
}

/** Builds a provider for each type of credential with secrets. */
function providers(reference: (name: SecretName) => object): readonly object[] {
  const names: Readonly<Record<string, SecretName>> = {
    'ACCESS-KEY accessKey': 'accessKey',
    'ACCESS-KEY secretKey': 'secretKey',
    'STORAGE-ACCOUNT-KEY storageAccountKey': 'storageAccountKey',
    'HMAC-KEYS accessKey': 'hmacAccessKey',
    'HMAC-KEYS secretKey': 'hmacSecretKey',
  }
  return Object.entries(credentialTypes)
    .filter(([, { secret }]) => secret.some(({ confidential }) => confidential))
    .map(([type, { secret, provider }]) => ({
      name: type,
      credential: {
        type,
        secret: Object.fromEntries(
          secret.map(({ name, confidential }) => {
            const canary = names[`${type} ${name}`]
            if (confidential && canary === undefined) throw new Error(`no canary for ${name} of ${type}`)
            return [name, canary === undefined ? 'account' : reference(canary)]
          }),
        ),
      },
      cloudServices: [
        {
          name: `Objects of ${type}`,
          connection: {
            ...(provider === 'container' ? { containerName: 'gis' } : { bucketName: 'gis' }),
            ...(provider === 'bucket' && { region: 'eu-west-1' }),
            rootDir: 'd',
          },
        },
      ],
    }))
}
