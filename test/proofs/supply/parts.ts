import { type Locked, nameIn } from './locked.js'

/** A list of parts, as far as it is looked at. */
export interface Parts {
  readonly bomFormat: string
  readonly specVersion: string
  readonly version: number
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly type: string } }
  readonly components: readonly Part[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

export interface Part {
  readonly type: string
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly { readonly license: { readonly id: string } }[]
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}

/** The name by which npm knows a part. */
export function nameOf({ group, name }: Part): string {
  return group === undefined ? name : `${group}/${name}`
}

/** What a document of CycloneDX 1.6 must be, of what ours uses; the schema is not at hand here. */
export function shapeComplaints(parts: Parts): readonly string[] {
  const refs = [parts.metadata.component['bom-ref'], ...parts.components.map(part => part['bom-ref'])]
  const graph = parts.dependencies.map(({ ref }) => ref)
  const reached = new Set(parts.dependencies.flatMap(({ dependsOn }) => dependsOn))
  const claims: readonly (readonly [boolean, string])[] = [
    [parts.bomFormat === 'CycloneDX' && parts.specVersion === '1.6', 'is not CycloneDX 1.6'],
    [Number.isInteger(parts.version) && parts.version >= 1, 'has no version of its own'],
    [new Set(refs).size === refs.length, 'names two parts alike'],
    [[...graph].sort().join() === [...refs].sort().join(), 'does not say of each part what it needs'],
    [refs.slice(1).every(ref => reached.has(ref)), 'has a part that nothing needs'],
    [[...reached].every(ref => refs.includes(ref)), 'needs a part that it has not'],
  ]
  return claims.filter(([holds]) => !holds).map(([, what]) => `the list of parts ${what}`)
}

/** Where the list says something else of a part than the lock file; and parts whose license text is not handed on. */
export function partComplaints({ components }: Parts, locked: Locked, notices: string): readonly string[] {
  const sections = notices.split(/\n-{79}\n\n/).slice(1)
  const titled = sections.map(text => text.split('\n', 1)[0] ?? '')
  const wanted = components.map(part => `${nameOf(part)} ${part.version} (${licenseOf(part)})`)
  return [
    ...components.flatMap(part => differences(part, locked).map(what => `${nameOf(part)} ${what}`)),
    ...wanted.filter(title => !titled.includes(title)).map(title => `no license is handed on of ${title}`),
    ...titled.filter(title => !wanted.includes(title)).map(title => `${title} has a license and is no part`),
    ...sections
      .filter(text => text.length < 400)
      .map(text => `${text.split('\n', 1)[0]} has hardly a license`),
  ]
}

function differences(part: Part, locked: Locked): readonly string[] {
  const name = nameOf(part)
  const entry = Object.entries(locked).find(
    ([path, { version }]) => nameIn(path) === name && version === part.version,
  )
  if (entry === undefined) return ['is not locked in this version']
  const [{ integrity = '', license }] = [entry[1]]
  const [{ alg, content } = { alg: '', content: '' }] = part.hashes
  const purl = `pkg:npm/${name.replace('@', '%40')}@${part.version}`
  const claims: readonly (readonly [boolean, string])[] = [
    [part.type === 'library', 'is no library'],
    [part.purl === purl && part['bom-ref'] === purl, 'has another address'],
    [
      alg === 'SHA-512' && `sha512-${Buffer.from(content, 'hex').toString('base64')}` === integrity,
      'has another digest',
    ],
    [licenseOf(part) === license, 'has another license'],
  ]
  return claims.filter(([holds]) => !holds).map(([, what]) => what)
}

function licenseOf({ licenses }: Part): string {
  return licenses.map(({ license }) => license.id).join()
}
