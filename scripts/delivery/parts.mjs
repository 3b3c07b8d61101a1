// The SBOM of a product and the licenses of its parts, beside its bundles.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPackages } from './bundled-packages.mjs'
import { notices } from './notices.mjs'
import { readPackageManifest } from './products.mjs'
import { sbom } from './sbom.mjs'

/** Writes both for the bundles of a product. Throws if a TypeScript source is in one of them. */
export function writeParts(root, product, folder, built) {
  const metafiles = built.map(({ metafile }) => metafile)
  const source = metafiles.flatMap(({ inputs }) => Object.keys(inputs)).find(name => name.endsWith('.ts'))
  if (source !== undefined) throw new Error(`${source} was bundled instead of its compiled file`)
  const manifest = { ...readPackageManifest(root, '.'), ...readPackageManifest(root, product) }
  const packages = bundledPackages(root, metafiles)
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom(manifest, packages), null, 2)}\n`)
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(packages))
}
