// The texts of the licenses of the packages in the bundles, which these licenses require to be distributed.

/** Formats the notices of all packages as one text. */
export function notices(packages) {
  const head = `The programs in this package contain code of the packages below, each under its own license. sbom.cdx.json lists them
with digests.
`
  return [head, ...packages.map(section)].join(`\n${'-'.repeat(79)}\n\n`)
}

function section({ name, version, license, text }) {
  return `${name} ${version} (${license})\n\n${text}\n`
}
