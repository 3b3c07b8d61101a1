import type { TarEntry } from './tar-entries.js'

/** What a package is to hold. */
export interface Content {
  /** What may be in it; everything else is a test, a secret, or of the machine that packed it. */
  readonly allowed: RegExp
  readonly programs: readonly string[]
}

/** The program, which is the library, too. */
export const programContent: Content = {
  allowed:
    /^package\/(?:package\.json|README\.md|LICENSE|schemas\/[\w.-]+\.json|dist\/(?:bin\/\w+\.cjs|lib\/(?:index|entry\/\w+)\.js|lib\/[\w/-]+\.d\.ts|sbom\.cdx\.json|THIRD-PARTY-NOTICES\.txt))$/,
  programs: ['package/dist/bin/landform.cjs'],
}

/** The package for fleets, which the program loads. */
export const fleetContent: Content = {
  allowed:
    /^package\/(?:package\.json|README\.md|LICENSE|dist\/(?:index\.cjs|sbom\.cdx\.json|THIRD-PARTY-NOTICES\.txt))$/,
  programs: [],
}

/** A key or a token that has a known form; certificates and words about keys have not. */
const keyMaterial =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[\w+/=]{16}|\b(?:npm_|gh[pousr]_|AKIA)[A-Za-z0-9]{16,}/

/** What is wrong with the files of a package; `marks` are texts that tell the machine, such as folders and names. */
export function packedComplaints(
  entries: readonly TarEntry[],
  marks: readonly string[],
  content: Content = programContent,
): readonly string[] {
  const paths = entries.map(({ path }) => path)
  return [
    ...paths.filter((path, at) => paths.indexOf(path) !== at).map(path => `${path} is in it twice`),
    ...content.programs.filter(path => !paths.includes(path)).map(path => `${path} is not in it`),
    ...entries.flatMap(entry => listEntryErrors(entry, marks, content).map(what => `${entry.path} ${what}`)),
  ]
}

function listEntryErrors(
  { path, mode, type, mtime, uid, gid, body }: TarEntry,
  marks: readonly string[],
  { allowed, programs }: Content,
) {
  const text = body.toString('latin1')
  const wanted = programs.includes(path) ? 0o755 : 0o644
  const claims: readonly (readonly [boolean, string])[] = [
    [allowed.test(path), 'is nothing that users need'],
    [type === '0', 'is no plain file'],
    [mode === wanted, `has the mode ${mode.toString(8)}, not ${wanted.toString(8)}`],
    [uid === 0 && gid === 0, 'tells who packed it'],
    // The time that npm gives to everything.
    [mtime === Date.UTC(1985, 9, 26, 8, 15) / 1000, 'tells when it was packed'],
    [!keyMaterial.test(text), 'has a key or a token in it'],
    ...marks.map(mark => [!text.includes(mark), `tells of the machine: ${mark}`] as const),
  ]
  return claims.filter(([holds]) => !holds).map(([, what]) => what)
}
