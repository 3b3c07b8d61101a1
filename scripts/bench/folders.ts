import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { profileNames } from '../../src/contract/profiles.js'
import { volumeComponents } from '../../src/contract/volumes.js'
import { formatNewManifest } from '../../src/manifest/new-manifest.js'

/** Files `i` as `init` writes them, `b` all different, `c` overlays of eight bases, `e` some with errors, `w` with warnings. */
export type Kind = 'i' | 'b' | 'c' | 'e' | 'w'

const pick = <T>(choices: readonly [T, ...T[]], at: number): T => choices[at % choices.length] ?? choices[0]

const classes = ['gp3', 'premium-rwo', 'managed-csi', 'standard', 'fast-ssd'] as const
const profiles = ['standard-availability', 'enhanced-availability'] as const

const clouds = [
  '',
  `  cloudStorage:
    - name: AWS
      credential: { type: IAM-ROLE }
      cloudServices:
        - { name: AWS S3, connection: { bucketName: objects-AT, region: eu-west-1, rootDir: site-AT } }
`,
  `  cloudStorage:
    - name: AWS
      credential:
        type: ACCESS-KEY
        secret: { accessKey: { env: LANDFORM_S3_KEY }, secretKey: { env: LANDFORM_S3_SECRET } }
      cloudServices:
        - { name: AWS S3, connection: { bucketName: objects-AT, region: us-east-2, rootDir: site-AT } }
`,
  `  cloudStorage:
    - name: AZURE
      credential:
        type: STORAGE-ACCOUNT-KEY
        secret: { storageAccountName: accountAT, storageAccountKey: { env: LANDFORM_STORAGE_KEY } }
      cloudServices:
        - { name: Azure Blob Store, connection: { containerName: objects-AT, rootDir: site-AT } }
`,
] as const

/** Formats a valid manifest that differs from all others, without a warning. The same number always gives the same text. */
export function makeManifest(at: number): string {
  const quote = pick(['', "'", '"'], at)
  const volumes = volumeComponents.map((component, index) => {
    const size = `${64 + 2 * ((at + index) % 40)}Gi`
    const app = component.toLowerCase().replaceAll('_', '-')
    const [tier, name] = [`arcgis/tier: ${pick(['storage', 'data'], at + index)}`, `arcgis/app: ${app}-${at}`]
    // The primary and the secondary store have the same size; that of BLOB is not used beside object storage.
    const isUnused = component === 'BLOB' && pick(clouds, at) !== ''
    const own = component.startsWith('RELATIONAL') ? '128Gi' : isUnused ? '32Gi' : size
    return at % 3 === 0
      ? `    ${component}: { size: ${own}, storageClass: ${pick(classes, at)}, labels: { ${tier}, ${name} } }`
      : `    ${component}:\n      storageClass: ${pick(classes, at)}\n      size: ${own}\n      labels:\n        ${tier}\n        ${name}`
  })
  const site = [
    `    url: https://site-${at}.example.org/arcgis/admin`,
    '    version: "11.2"',
    '    token: { env: LANDFORM_TOKEN }',
  ]
  const affinity = `      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
            - matchExpressions: [{ key: pool, operator: In, values: [upgrades-${at}] }]
`
  return `# Site ${at}${at % 4 === 0 ? ' – kept by the platform team' : ''}
apiVersion: landform.dev/v1
kind: SiteDeployment
metadata:
  name: ${quote}site-${at}${quote}
spec:
  site:
${(at % 2 === 0 ? site : site.toReversed()).join('\n')}
  state: git:origin
  license: { file: licenses/site-${at % licenseCount}.json }
  administrator:
    username: ${quote}admin_${at}${quote}
    password: { env: LANDFORM_ADMIN_PASSWORD }
    email: admin-${at}@example.org
    fullName: ${at % 5 === 0 ? `Zoë Administrator – ${at}` : `Site Administrator ${at}`}
    userType: creatorUT
    securityQuestion:
      index: ${1 + (at % 14)} # one of the list
      answer: { env: LANDFORM_SECURITY_ANSWER }
  profile: ${pick(profiles, at)}
  volumes:
${volumes.join('\n')}
${pick(clouds, at).replaceAll('AT', String(at))}  upgrade:
    podPlacementPolicy:
${at % 2 === 0 ? affinity : '      nodeAffinity: {}\n'}      tolerations:
        - { key: dedicated, operator: Equal, value: upgrades-${at}, effect: NoSchedule }
`
}

/** Formats a manifest as `init` writes it. */
function makeNewManifest(at: number): string {
  const credential = pick([undefined, 'IAM-ROLE', 'ACCESS-KEY', 'STORAGE-ACCOUNT-KEY'] as const, at)
  return formatNewManifest(
    {
      name: `site-${at}`,
      url: `https://site-${at}.example.org/arcgis/admin`,
      version: '11.2',
      profile: pick(['development', ...profileNames], at),
      ...(credential !== undefined && { credential }),
      cloudValues: {
        bucketName: `objects-${at}`,
        containerName: `objects-${at}`,
        region: 'eu-west-1',
        rootDir: `site-${at}`,
        storageAccountName: `account${at}`,
      },
      storageClass: pick(classes, at),
      username: `admin_${at}`,
      email: `admin-${at}@example.org`,
      fullName: `Site Administrator ${at}`,
      userType: 'creatorUT',
      question: `${1 + (at % 14)}`,
      license: `licenses/site-${at % licenseCount}.json`,
    },
    'https://example.org/deployment.schema.json',
  )
}

/** The number of bases. Each overlay has its own name and address. */
const bases = 8

/** The number of licenses that the manifests of a folder share. */
const licenseCount = 7

/** Formats a file of a folder. */
export function makeFile(kind: Kind, at: number): string {
  const whole = makeManifest(at)
  switch (kind) {
    case 'i':
      return makeNewManifest(at)
    case 'b':
      return whole
    case 'w':
      return whole.replace('userType: creatorUT', 'userType: somebodyUT')
    case 'e':
      return at % 20 === 19 ? whole.replace('userType: creatorUT', 'userTypo: creatorUT') : whole
    case 'c': {
      const url = `https://site-${at}.example.org/arcgis/admin`
      return `extends: ../bases/base-${at % bases}.yaml
metadata: { name: site-${at} }
spec:
  site: { url: "${url}" }
  administrator: { email: admin-${at}@example.org }
`
    }
  }
}

/** Creates a folder of this many files, and returns the path to check. Bases of overlays are in a folder beside it. */
export function makeFolder(parent: string, kind: Kind, count: number): string {
  const folder = join(parent, `${kind}-${count}`, 'sites')
  mkdirSync(join(folder, 'licenses'), { recursive: true })
  for (let at = 0; at < licenseCount; at += 1)
    writeFileSync(join(folder, 'licenses', `site-${at}.json`), `{ "license": "of-the-bench-${at}" }\n`)
  if (kind === 'c') {
    // Bases may be read from below the root of the repository.
    mkdirSync(join(folder, '..', '.git'))
    mkdirSync(join(folder, '..', 'bases'))
    for (let at = 0; at < bases; at += 1)
      writeFileSync(join(folder, '..', 'bases', `base-${at}.yaml`), makeManifest(at))
  }
  for (let at = 0; at < count; at += 1) writeFileSync(join(folder, `site-${at}.yaml`), makeFile(kind, at))
  return folder
}

/** Creates a folder with a manifest for each site of an emulator, whose first address is given. */
export function makeSites(parent: string, count: number, firstUrl: string, licenses: string): string {
  const folder = join(parent, `sites-${count}`)
  for (let at = 1; at <= count; at += 1) {
    const site = join(folder, `site-${at}`)
    cpSync(licenses, join(site, 'licenses'), { recursive: true })
    const text = makeManifest(at)
      .replace(/https:\S+/, firstUrl.replace('/site-1/', `/site-${at}/`))
      .replace(/licenses\/\S+\.json/, 'licenses/site.json')
      .replace('  state: git:origin\n', '')
      .replace(/ {2}cloudStorage:\n(?: {4}.*\n)+/, '')
    writeFileSync(join(site, 'site.yaml'), text)
  }
  return folder
}
