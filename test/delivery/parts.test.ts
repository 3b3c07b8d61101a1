import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { imports } from '../support/import-graph.js'
import { root } from '../support/manifests.js'

interface Part {
  readonly 'bom-ref': string
  readonly purl: string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const locked = JSON.parse(read('package-lock.json')).packages
const nameOf = ({ group, name }: Part) => (group === undefined ? name : `${group}/${name}`)
const { version: ownVersion } = JSON.parse(read('package.json'))

/** The folder in which this version of a part is installed. */
function placeOf(part: Part): string {
  const places = Object.keys(locked).filter(path => path.endsWith(`node_modules/${nameOf(part)}`))
  return places.find(path => locked[path].version === part.version) ?? `node_modules/${nameOf(part)}`
}

describe.each([
  ['the program', 'dist', `pkg:npm/landform@${ownVersion}`],
  ['the package for fleets', 'packages/fleet/dist', `pkg:npm/%40landform/fleet@${ownVersion}`],
])('the list of parts of %s', (_, folder, own) => {
  const document = JSON.parse(read(`${folder}/sbom.cdx.json`))
  const parts: readonly Part[] = document.components
  const sections = read(`${folder}/THIRD-PARTY-NOTICES.txt`)
    .split(/\n-{79}\n\n/)
    .slice(1)

  test('is a CycloneDX document about this version', () => {
    expect(document).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
    expect(document.metadata.component).toMatchObject({ type: 'application', purl: own, 'bom-ref': own })
  })

  test.each(parts.map(part => [nameOf(part), part] as const))(
    'has %s as it is installed, without an install script',
    (name, part) => {
      const { version, license } = JSON.parse(read(`${placeOf(part)}/package.json`))
      const { integrity, hasInstallScript } = locked[placeOf(part)]
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
      expect(part).toMatchObject({ version, purl, 'bom-ref': purl, licenses: [{ license: { id: license } }] })
      const [{ alg, content } = { alg: '', content: '' }] = part.hashes
      expect([alg, `sha512-${Buffer.from(content, 'hex').toString('base64')}`]).toEqual([
        'SHA-512',
        integrity,
      ])
      expect(hasInstallScript).not.toBe(true)
    },
  )

  test('has only references to its parts, and each part is needed by another', () => {
    const known = new Set([own, ...parts.map(part => part['bom-ref'])])
    const { dependencies } = document as { dependencies: { ref: string; dependsOn: string[] }[] }
    expect(dependencies.map(({ ref }) => ref).sort()).toEqual([...known].sort())
    expect([...new Set([own, ...dependencies.flatMap(({ dependsOn }) => dependsOn)])].sort()).toEqual(
      [...known].sort(),
    )
  })

  test('contains the license of each part', () => {
    expect(sections.map(text => text.split(' ', 1)[0]).sort()).toEqual(parts.map(nameOf).sort())
    for (const section of sections) {
      expect(section).toMatch(/Copyright (?:\(c\)|©|20|\w)/i)
      expect(section).toMatch(/Permission (?:is hereby granted|to use)|Redistribution and use/)
    }
  })
})

const packageOf = (path: string) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path

test('the list of parts of the program has exactly the packages that the program imports, with their dependencies', () => {
  // These only generate files at build time; the page of packages lists them in its table "To build".
  const build = ['ajv', 'ajv/dist/standalone/index.js']
  const outside = imports.filter(({ to, typeOnly }) => !typeOnly && !to.endsWith('.ts') && !isBuiltin(to))
  const from = outside.filter(({ to }) => !build.includes(to))
  const imported = [...new Set(from.map(({ to }) => packageOf(to)))].sort()
  // The first is replaced by an alias; only the command line of js-yaml uses the second.
  const unused = ['string-width', 'argparse']
  const reached = new Set(imported.map(name => `node_modules/${name}`))
  for (const path of reached)
    for (const one of Object.keys(locked[path].dependencies ?? {}))
      if (!unused.includes(one)) reached.add(lockedFor(path, one))
  const document = JSON.parse(read('dist/sbom.cdx.json'))
  const parts: readonly Part[] = document.components
  expect(parts.map(nameOf).sort()).toEqual(
    [...reached].map(path => path.replace(/.*node_modules\//, '')).sort(),
  )
  const asked = document.dependencies.find(
    ({ ref }: { ref: string }) => ref === `pkg:npm/landform@${ownVersion}`,
  ).dependsOn
  expect(asked).toEqual(parts.filter(part => imported.includes(nameOf(part))).map(({ purl }) => purl))
})

/** The path of a package that another one depends on: below that, or in the nearest folder above. */
function lockedFor(path: string, name: string): string {
  const here = `${path}/node_modules/${name}`
  if (here in locked) return here
  const above = path.lastIndexOf('/node_modules/')
  return above === -1 ? `node_modules/${name}` : lockedFor(path.slice(0, above), name)
}
