/** The versions of a package, by their major number, below which a known mistake is in it. */
export interface Floor {
  readonly name: string
  readonly least: readonly string[]
  /** The advisories, where the mistakes are told. */
  readonly advisories: readonly string[]
}

/**
 * What no version in the lock file may be below, for packages whose mistakes can matter here. A major number that is older
 * than all of these has no mended version; one that is newer came after.
 */
export const floors: readonly Floor[] = [
  {
    name: 'undici',
    least: ['6.28.0', '7.29.0', '8.9.0'],
    advisories: ['GHSA-m8rv-5g2x-5cg5', 'GHSA-8xcm-r25x-g524', 'GHSA-35p6-xmwp-9g52', 'GHSA-c76h-2ccp-4975'],
  },
  { name: 'yaml', least: ['1.10.3', '2.8.3'], advisories: ['GHSA-48c2-rrv3-qjmp'] },
  {
    name: 'js-yaml',
    least: ['3.14.2', '4.3.1', '5.2.1'],
    advisories: ['CVE-2025-64718', 'GHSA-5p4m-2wfm-xmqj', 'GHSA-724g-mxrg-4qvm'],
  },
  { name: 'ajv', least: ['6.14.0', '8.18.0'], advisories: ['GHSA-2g4f-4pwh-qvx6'] },
  { name: 'fast-uri', least: ['3.1.7'], advisories: ['CVE-2026-84394', 'CVE-2026-84292'] },
  { name: 'form-data', least: ['2.5.4', '3.0.4', '4.0.4'], advisories: ['GHSA-fjxv-7rqg-78g4'] },
  { name: 'yargs-parser', least: ['13.1.2', '15.0.1', '18.1.2'], advisories: ['GHSA-p9pc-299p-vxgp'] },
]
