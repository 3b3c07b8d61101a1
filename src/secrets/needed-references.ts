import { listFields } from '../contract/fields.js'
import type { ManifestSpec, Organization, SecretReference, TlsSettings } from '../manifest/manifest.js'
import { referencePatterns } from '../manifest/references.js'
import { isObject } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'
import { select, selectAll } from '../schema/select.js'

/** Something outside the manifest that a request needs. */
export type NeededReference =
  | {
      readonly kind: 'secret'
      readonly pointer: JsonPointer
      readonly reference: SecretReference
      /** By default, a secret is one line, and not the address of a secret in a store. */
      readonly form?: 'lines' | 'address'
    }
  | { readonly kind: 'file'; readonly pointer: JsonPointer; readonly path: string }

/** A needed secret. Its pointer is a place in the manifest, or `/--NAME` for an option of the command line. */
export type NeededSecret = Extract<NeededReference, { readonly kind: 'secret' }>

/** A needed file that is sent unchanged. */
export type NeededFile = Extract<NeededReference, { readonly kind: 'file' }>

/** Lists the references of `configure`: the secrets of the organization and its license files. Service §4.3. */
export function listConfigureReferences(organization: Organization): readonly NeededReference[] {
  const spec = { spec: organization }
  const secrets = selectAll(spec, referencePatterns).flatMap(
    ({ pointer, value }): readonly NeededReference[] =>
      isObject(value) ? [{ kind: 'secret', pointer, reference: value as SecretReference }] : [],
  )
  return [...secrets, ...listLicenseFiles(organization)]
}

/** Lists the references of a manifest except for TLS. */
export function listManifestReferences({
  organization,
  site,
}: Pick<ManifestSpec, 'site'> & { readonly organization: Organization }): readonly NeededReference[] {
  return [
    ...listConfigureReferences(organization),
    ...listUpdateReferences(site.token),
    ...listSignInReferences(site),
  ]
}

/** Lists the license files that a manifest names. */
export function listLicenseFiles(organization: Organization): readonly NeededFile[] {
  return listFields('configure')
    .filter(({ shape }) => shape.kind === 'file')
    .flatMap(field => select({ spec: organization }, field.pointer))
    .map(({ pointer, value }) => ({ kind: 'file', pointer, path: String(value) }))
}

/** The place of the license in a manifest. */
export const licensePointer: JsonPointer = '/spec/license/file'

/** The places of the TLS material in a manifest. */
export const tlsPointers = {
  caFile: '/spec/site/tls/caFile',
  certificate: '/spec/site/tls/client/certificate',
  key: '/spec/site/tls/client/privateKey',
} as const satisfies Readonly<Record<string, JsonPointer>>

/** Lists the references of the TLS settings. */
export function listTlsReferences(tls: TlsSettings): readonly NeededReference[] {
  const { client } = tls
  const key =
    client &&
    ({ kind: 'secret', pointer: tlsPointers.key, reference: client.privateKey, form: 'lines' } as const)
  return [...listTlsFiles(tls), ...(key === undefined ? [] : [key])]
}

/** Lists the files of TLS that contain no secret. */
export function listTlsFiles({ caFile, client }: TlsSettings = {}): readonly NeededFile[] {
  const files = [
    { pointer: tlsPointers.caFile, path: caFile },
    { pointer: tlsPointers.certificate, path: client?.certificate },
  ]
  return files.flatMap(({ pointer, path }) =>
    path === undefined ? [] : [{ kind: 'file', pointer, path } as const],
  )
}

/** Lists the files that a manifest names, other than those of secret references: license files and certificates. */
export function listNamedFiles({
  organization,
  site,
}: Pick<ManifestSpec, 'site'> & { readonly organization: Organization }): readonly NeededFile[] {
  return [...listLicenseFiles(organization), ...listTlsFiles(site.tls)]
}

/** The place of the token of `update` in a manifest. Service §4.4, §5. */
export const tokenPointer: JsonPointer = '/spec/site/token'

/** The place of the password for signing in with another account than the administrator. */
export const signInPointer: JsonPointer = '/spec/site/signIn/password'

/** Lists the references of a sign-in: the password of another account, if the manifest names one. Public sources. */
export function listSignInReferences(site: ManifestSpec['site']): readonly NeededSecret[] {
  const reference = site.signIn?.password
  return reference === undefined ? [] : [{ kind: 'secret', pointer: signInPointer, reference }]
}

/** Lists the references of a command that only reads a site: the token, and the password of the account that signs in. */
export function listReadReferences({
  organization,
  site,
}: Pick<ManifestSpec, 'site'> & { readonly organization: Organization }): readonly NeededSecret[] {
  const pointer: JsonPointer = '/spec/administrator/password'
  const administrator =
    site.signIn?.as === undefined
      ? []
      : [{ kind: 'secret', pointer, reference: organization.administrator.password } as const]
  return [...listUpdateReferences(site.token), ...administrator, ...listSignInReferences(site)]
}

/** Lists the references of `update`: the token, if the manifest names one. Service §4.4, §5. */
export function listUpdateReferences(token: SecretReference | undefined): readonly NeededSecret[] {
  return token === undefined ? [] : [{ kind: 'secret', pointer: tokenPointer, reference: token }]
}
