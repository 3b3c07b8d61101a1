// The SBOM as a CycloneDX 1.6 document. It has no time and no random number: the same build gives the same document.

/** Builds the SBOM. `product` is the package.json; `packages` are those whose code is in the bundles. */
export function sbom(product, packages) {
  const self = purl(product)
  const refs = new Map(packages.map(one => [one.path, purl(one)]))
  const needed = new Set(packages.flatMap(({ needs }) => needs))
  const direct = packages.filter(({ path }) => !needed.has(path) || isAsked(product, path))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': self, ...named(product), purl: self },
    },
    components: packages.map(one => ({
      type: 'library',
      'bom-ref': purl(one),
      ...named(one),
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: hexadecimal(one.integrity) }],
      purl: purl(one),
    })),
    dependencies: [
      { ref: self, dependsOn: direct.map(purl) },
      ...packages.map(one => ({ ref: purl(one), dependsOn: one.needs.map(path => refs.get(path)) })),
    ],
  }
}

function isAsked({ devDependencies }, path) {
  return path.slice('node_modules/'.length) in devDependencies
}

function named({ name, version, license }) {
  const [group, base] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return { ...(group && { group }), name: base, version, licenses: [{ license: { id: license } }] }
}

function purl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function hexadecimal(integrity) {
  const [algorithm, base64] = integrity.split('-')
  if (algorithm !== 'sha512') throw new Error(`${algorithm} is not SHA-512`)
  return Buffer.from(base64, 'base64').toString('hex')
}
