import { isUtf8 } from 'node:buffer'
import { limits, passwordNeeds } from '../contract/field-row.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type {
  ForeignContent,
  PasswordGap,
  ReferenceDefect,
  ReferenceGap,
  SecretPlace,
} from '../diagnostics/reference-defect.js'
import { findForeignContent, isErrorAnswer } from '../manifest/content.js'
import { computeDigest } from '../manifest/digest.js'
import type { Organization } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import { type JsonPointer, readLastSegment } from '../schema/pointer.js'
import type { RejectedFile } from './file-jail.js'
import {
  licensePointer,
  listLicenseFiles,
  type NeededFile,
  type NeededReference,
  type NeededSecret,
} from './needed-references.js'
import { findSecret, Secret, SecretFile, type Secrets, type SecretsToSend } from './secret.js'
import { readWholeFile, type SecretSource } from './secret-source.js'
import { findUnfilledForm } from './unfilled.js'

export type Resolved<S extends SecretsToSend = Secrets> = Result<
  {
    readonly secrets: S
    /** Values that the service may reject, according to public sources. */
    readonly warnings: readonly Diagnostic[]
  },
  readonly Diagnostic[]
>

const passwordPointer: JsonPointer = '/spec/administrator/password'

const maxBytes = { secret: 64 * 1024, inMemory: 4 * 1024 * 1024, license: 64 * 1024 * 1024 } as const

/**
 * Fetches all values before anything is sent. Returns all problems at once (`secret/missing`, `secret/malformed`,
 * `file/missing`, `file/unusable`, `administrator/password`); none shows a value or its length. Warnings are part of either
 * result (`administrator/password-plain`, `administrator/password-not-ascii`, `license/not-json`).
 */
export async function resolve(wanted: readonly NeededReference[], source: SecretSource): Promise<Resolved> {
  return resolveAll(wanted, one => fetchOne(one, source))
}

/** Resolves references as `resolve` does, but only opens a large license, which is read while it is sent. */
export async function resolveToSend(
  wanted: readonly NeededReference[],
  source: SecretSource,
): Promise<Resolved<SecretsToSend>> {
  return resolveAll(wanted, one =>
    one.kind === 'file' && one.pointer.startsWith('/spec/license/')
      ? openFileToSend(one, source)
      : fetchOne(one, source),
  )
}

/** Fetches one value; `undefined` if it is missing or malformed. */
export async function fetchSecret(
  wanted: NeededReference,
  source: SecretSource,
): Promise<Secret | undefined> {
  const found = await fetchOne(wanted, source)
  return found instanceof Secret ? found : undefined
}

/** A diagnostic that is built on demand. */
type Finding = () => Diagnostic

async function resolveAll<S extends Secret | SecretFile>(
  wanted: readonly NeededReference[],
  fetch: (wanted: NeededReference) => Promise<S | Finding>,
): Promise<Resolved<ReadonlyMap<JsonPointer, S>>> {
  const secrets = new Map<JsonPointer, S>()
  const diagnostics: Diagnostic[] = []
  for (const one of wanted) {
    const found = await fetch(one)
    if (!(found instanceof Secret || found instanceof SecretFile)) diagnostics.push(found())
    else {
      secrets.set(one.pointer, found)
      const content = one.kind === 'file' ? findLicenseContent(await readEnds(found)) : undefined
      if (one.kind === 'file' && content !== undefined)
        diagnostics.push(diagnoseFile(one, { kind: 'foreign-content', content }))
    }
  }
  const [password, license] = [findSecret(secrets, passwordPointer), secrets.get(licensePointer)]
  const broken = password === undefined ? [] : checkPassword(password)
  diagnostics.push(...broken)
  const warnings = [
    ...(password !== undefined && broken.length === 0 && isPlain(password.bytes)
      ? [diagnose('administrator/password-plain', passwordPointer, {})]
      : []),
    ...(password !== undefined && broken.length === 0 && password.bytes.some(byte => byte > 0x7f)
      ? [diagnose('administrator/password-not-ascii', passwordPointer, {})]
      : []),
    ...(license !== undefined && isOddLicense(await readEnds(license))
      ? [diagnose('license/not-json', licensePointer, {})]
      : []),
  ]
  if (diagnostics.length === 0) return { ok: true, value: { secrets, warnings } }
  wipeAll(secrets)
  return { ok: false, error: [...diagnostics, ...warnings] }
}

/** Overwrites every secret of a resolution. */
export function wipeAll(secrets: SecretsToSend): void {
  for (const secret of secrets.values()) secret.wipe()
}

async function fetchOne(wanted: NeededReference, source: SecretSource): Promise<Secret | Finding> {
  if (wanted.kind === 'file') return fetchFile(wanted, source)
  const { reference, pointer } = wanted
  const field = readLastSegment(pointer)
  const missing = (place: SecretPlace, gap: ReferenceGap) =>
    useStandIn(wanted, source, () => diagnose('secret/missing', pointer, { field, place, gap }))
  if ('env' in reference) {
    const place = { env: reference.env }
    const value = source.variable(reference.env)
    if (value === undefined || value === '') return missing(place, value === undefined ? 'not-set' : 'empty')
    return trimSecret(Buffer.from(value), wanted, place)
  }
  const place = { file: reference.file }
  const reply = await readWholeFile(source, { pointer, path: reference.file }, maxBytes.secret)
  if (reply.kind === 'read') return trimSecret(reply.bytes, wanted, place)
  if (reply.kind === 'unusable')
    return () => diagnose('secret/malformed', pointer, { field, place, defect: reply.defect })
  return missing(place, 'no-file')
}

/** Digests a file that is sent unchanged, piece by piece, or reports its defect. */
async function digestOfFile(wanted: NeededFile, source: SecretSource): Promise<string | Diagnostic> {
  const reply = await source.digest(wanted, maxBytes.license)
  if (reply.kind === 'digested') return reply.digest
  const found = replaceMissingFile(wanted, source, reply)
  return found instanceof Secret ? computeDigest(found.bytes) : found()
}

async function fetchFile(wanted: NeededFile, source: SecretSource): Promise<Secret | Finding> {
  const reply = await readWholeFile(source, wanted, maxBytes.license)
  return reply.kind === 'read' ? new Secret(reply.bytes) : replaceMissingFile(wanted, source, reply)
}

async function openFileToSend(
  wanted: NeededFile,
  source: SecretSource,
): Promise<Secret | SecretFile | Finding> {
  const reply = await source.file(wanted, maxBytes.license, maxBytes.inMemory)
  if (reply.kind === 'opened') return new SecretFile(reply.file)
  return reply.kind === 'read' ? new Secret(reply.bytes) : replaceMissingFile(wanted, source, reply)
}

function replaceMissingFile(wanted: NeededFile, source: SecretSource, reply: RejectedFile): Secret | Finding {
  const { path, pointer } = wanted
  const field = readLastSegment(pointer)
  if (reply.kind === 'unusable') return () => diagnoseFile(wanted, reply.defect)
  return useStandIn(wanted, source, () => diagnose('file/missing', pointer, { field, path }))
}

function diagnoseFile({ pointer, path }: NeededFile, defect: ReferenceDefect): Diagnostic {
  return diagnose('file/unusable', pointer, { field: readLastSegment(pointer), path, defect })
}

function useStandIn(wanted: NeededReference, source: SecretSource, otherwise: Finding): Secret | Finding {
  const standIn = source.standIn(wanted)
  return standIn === undefined ? otherwise : new Secret(standIn)
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Removes the newline that editors and `echo` add at the end of a secret, and rejects a malformed value. */
function trimSecret(bytes: Buffer, { pointer, form }: NeededSecret, place: SecretPlace): Secret | Finding {
  const end = bytes.at(-1) === 0x0a ? (bytes.at(-2) === 0x0d ? -2 : -1) : bytes.byteLength
  const value = bytes.subarray(0, end)
  const use = { form, isToken: /token$/.test(pointer), variable: 'env' in place ? place.env : undefined }
  const defect = findDefect(value, use)
  if (defect === undefined) return new Secret(value)
  bytes.fill(0)
  return () => diagnose('secret/malformed', pointer, { field: readLastSegment(pointer), place, defect })
}

interface SecretUse {
  readonly form: NeededSecret['form']
  readonly isToken: boolean
  readonly variable: string | undefined
}

function findDefect(value: Buffer, { form, ...use }: SecretUse): ReferenceDefect | undefined {
  if (value.byteLength === 0) return { kind: 'empty' }
  const unfilled = findUnfilledForm(value, use)
  if (unfilled !== undefined && !(form === 'address' && unfilled === 'reference'))
    return { kind: 'unfilled', form: unfilled }
  if (value.byteLength > maxBytes.secret) return { kind: 'too-long', limitBytes: maxBytes.secret }
  const forbidden = form === 'lines' ? [0x00] : [0x00, 0x0a, 0x0d]
  if (forbidden.some(byte => value.includes(byte))) return { kind: 'control-character' }
  if (value.subarray(0, 3).equals(byteOrderMark)) return { kind: 'byte-order-mark' }
  return isUtf8(value) ? undefined : { kind: 'not-utf8' }
}

/** Checks the rules of a password on its bytes. Names the rule, never the value. Service §4.3. */
function checkPassword(password: Secret): readonly Diagnostic[] {
  const { bytes } = password
  const holds = (rule: RegExp) => bytes.some(byte => rule.test(String.fromCharCode(byte)))
  // Characters, not bytes: those that only continue a UTF-8 sequence do not count.
  const characters = bytes.reduce((count, byte) => count + ((byte & 0xc0) === 0x80 ? 0 : 1), 0)
  const gaps: readonly PasswordGap[] = [
    ...(characters < limits.passwordCharacters
      ? [{ kind: 'length', minimum: limits.passwordCharacters } as const]
      : []),
    ...(holds(passwordNeeds.letter) ? [] : [{ kind: 'letter' } as const]),
    ...(holds(passwordNeeds.digit) ? [] : [{ kind: 'digit' } as const]),
  ]
  return gaps.length === 0 ? [] : [diagnose('administrator/password', passwordPointer, { gaps })]
}

/** True for a password of only the letters A-Z and a-z and digits. */
function isPlain(bytes: Buffer): boolean {
  return bytes.every(byte => /[A-Za-z0-9]/.test(String.fromCharCode(byte)))
}

/** The longest blank space that is skipped before or after a JSON object, in bytes. */
const endBytes = 4096

async function readEnds(license: Secret | SecretFile): Promise<Ends> {
  return license instanceof Secret ? [license.bytes, license.bytes] : license.readEnds(endBytes)
}

/** Finds the kind of content in a license file that is encrypted, not fetched, or no license at all. */
function findLicenseContent([first, last]: Ends): ForeignContent | undefined {
  return isErrorAnswer(first) ? 'error-answer' : findForeignContent(first, last)
}

type Ends = readonly [first: Buffer, last: Buffer]

/** True for content that is neither JSON nor foreign content. */
function isOddLicense(ends: Ends): boolean {
  return findLicenseContent(ends) === undefined && !looksLikeJson(ends)
}

/** True if the outermost characters are `{` and `}`. A license never becomes a string. */
function looksLikeJson([first, last]: Ends): boolean {
  const isBlank = (byte: number | undefined) =>
    byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
  let from = first.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  let to = last.byteLength
  while (from < first.byteLength && isBlank(first[from])) from += 1
  while (to > 0 && isBlank(last[to - 1])) to -= 1
  return first[from] === 0x7b && last[to - 1] === 0x7d
}

export type BoundFiles = Result<
  {
    /** By path, relative to the folder of the manifest. */
    readonly digests: Readonly<Record<string, string>>
    /** Digests of the license files, by field. */
    readonly licenses: Readonly<Record<string, string>>
  },
  readonly Diagnostic[]
>

/**
 * Computes the digests of the license files, which bind a plan to them. Files with secrets are never digested. A file that is
 * absent in a rehearsal is not bound.
 */
export async function bindFiles(
  organization: Organization,
  source: SecretSource,
  presence: 'required' | 'optional' = 'required',
): Promise<BoundFiles> {
  const digests: Record<string, string> = {}
  const licenses: Record<string, string> = {}
  const diagnostics: Diagnostic[] = []
  for (const file of listLicenseFiles(organization)) {
    const found = await digestOfFile(file, source)
    if (typeof found === 'string') {
      digests[source.pathOf(file)] = found
      licenses[file.pointer] = found
    } else if (presence === 'required' || found.code !== 'file/missing') diagnostics.push(found)
  }
  return diagnostics.length === 0
    ? { ok: true, value: { digests, licenses } }
    : { ok: false, error: diagnostics }
}
