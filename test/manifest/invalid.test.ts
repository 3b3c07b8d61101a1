import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { withSharedSites } from '../../src/cli/check/shared-sites.js'
import { loadScenario } from '../../src/cli/emulator/emulator-options.js'
import { runTests } from '../../src/cli/manifest-tests/run-tests.js'
import { catalog, type Diagnostic, type DiagnosticCode } from '../../src/diagnostics/diagnostic.js'
import { checkReferences } from '../../src/library/check-references.js'
import { policyFinder, policyReader } from '../../src/library/policies.js'
import { loadWithBases } from '../../src/library/read-bases.js'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'
import { convertProperties } from '../../src/migrate/from-properties.js'
import { readAnswers } from '../../src/migrate/read-answers.js'
import { noSettings, type Observation, type SiteSettings } from '../../src/plan/observation.js'
import { diagnoseSettings, diagnoseToken, diagnoseVersion } from '../../src/plan/planner.js'
import { previewStorage, storageDiagnostics } from '../../src/plan/storage-classes.js'
import { judgeBy } from '../../src/policy/judge.js'
import { loadPolicy } from '../../src/policy/load-policy.js'
import { collectFindings } from '../../src/report/test-results.js'
import type { Result } from '../../src/result.js'
import { aSource, startOf } from '../support/changed-manifest.js'
import { fakeHost } from '../support/fake-host.js'
import { someSecrets } from '../support/some-secrets.js'

const folder = join('test', 'invalid')
/** Files in deeper folders are only referred to by these. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => /^[^/]+\/[^/]+\.(?:yaml|properties)$/.test(path))
  .sort()

/** `volume/missing-component.all.yaml` shows `volume/missing-component`. */
const codeOf = (file: string) => file.replace(/(?:\.[\w-]+)?\.(?:yaml|properties)$/, '') as DiagnosticCode

/** Phases for files that are not manifests. */
const ofOtherFiles: readonly string[] = ['policy', 'scenario', 'properties', 'test']

/** Positions for files that do not begin with their position. */
const places: Readonly<Record<string, string>> = { 'volume/missing-component.yaml': '25:3' }

const environment = {
  ...someSecrets,
  LANDFORM_SHORT: 'abc',
  LANDFORM_PLAIN: 'Correcthorse1',
  LANDFORM_NOT_ASCII: 'pässwörd-1',
  LANDFORM_TWO_LINES: 'abc\ndef',
}

/** The site for the manifests in `site/`. */
const olderSite: Observation = {
  kind: 'ready',
  version: '11.1.0',
  warnings: [],
  stages: [],
}

/** A site with a version before `configure`. */
const siteWithoutConfigure: Observation = {
  kind: 'not-configured',
  version: '10.8.0',
  warnings: [],
  stages: [],
}

/** The storage classes for the manifests of the phase `cluster`. */
const asAdvised = {
  provisioner: 'ebs.csi.aws.com',
  allowVolumeExpansion: true,
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Delete',
}
const storageClasses = [
  { name: 'fast', ...asAdvised },
  { name: 'fixed', ...asAdvised, allowVolumeExpansion: false },
  { name: 'immediate', ...asAdvised, volumeBindingMode: 'Immediate' },
  { name: 'manual', ...asAdvised, provisioner: 'kubernetes.io/no-provisioner' },
  { name: 'shared', ...asAdvised, provisioner: 'efs.csi.aws.com' },
  { name: 'retained', ...asAdvised, reclaimPolicy: 'Retain' },
]
/** The policy for the manifests in `policy/`. */
const rules = join(folder, 'policy', 'rules', 'landform.policy.yaml')
const policy = loadPolicy({ name: rules, bytes: readFileSync(rules) })
const team = policy.ok ? policy.value : { file: rules, digest: '', rules: [] }
/** Sites that do not report all their settings. */
const reticentSites: Readonly<Partial<Record<DiagnosticCode, SiteSettings>>> = {
  'site/token-missing': noSettings('no-token'),
  'site/token-refused': noSettings('not-allowed'),
  'site/upgrading': noSettings('upgrading'),
}

function listErrors(loaded: Result<unknown, readonly Diagnostic[]>): readonly Diagnostic[] {
  return loaded.ok ? [] : loaded.error
}

/** Returns the diagnostics of a file in the phase of its code. */
async function diagnosticsOf(file: string): Promise<readonly Diagnostic[]> {
  const path = join(folder, file)
  const { phase } = catalog[codeOf(file)]
  if (phase === 'policy') return listErrors(loadPolicy({ name: path, bytes: readFileSync(path) }))
  if (phase === 'test') return testDiagnostics(path)
  if (phase === 'scenario') return listErrors(loadScenario({ name: path, bytes: readFileSync(path) }))
  if (phase === 'properties')
    return convertProperties(readAnswers([{ name: path, bytes: readFileSync(path) }])).diagnostics
  if (codeOf(file) === 'policy/unread') return unreadDiagnostics()
  const judge = phase === 'rules' ? judgeBy([team]) : undefined
  const { loaded } = await loadWithBases({ name: path, bytes: readFileSync(path) }, path, judge)
  if (!loaded.ok || phase === 'manifest' || phase === 'rules') return loaded.diagnostics
  if (phase === 'files') return sharedBy(path, loaded.value)
  if (phase === 'cluster')
    return storageDiagnostics(loaded.value, previewStorage(loaded.value, storageClasses))
  if (phase !== 'plan') return checkReferences(loaded.value, environment, dirname(path))
  const settings = reticentSites[codeOf(file)]
  if (codeOf(file) === 'site/token-unnamed') return diagnoseToken(loaded.value)
  return settings === undefined
    ? diagnoseVersion(
        loaded.value,
        codeOf(file) === 'site/without-configure' ? siteWithoutConfigure : olderSite,
      )
    : diagnoseSettings(loaded.value, settings)
}

/** Returns the diagnostics of a file next to a manifest with the same name, and unless that is the code, the same address. */
async function sharedBy(path: string, { name, site, state }: Manifest): Promise<readonly Diagnostic[]> {
  const alike = { file: path, sources: [], diagnostics: [], identity: { name, url: site.url, state } }
  const isNameOnly = codeOf(relative(folder, path)) === 'state/shared'
  const before = {
    ...alike,
    ...(isNameOnly && { identity: { name, url: 'https://other.example.org/admin', state } }),
  }
  const [, found] = await withSharedSites([before, alike], fakeHost())
  return found?.diagnostics ?? []
}

/** Returns the diagnostics of a misspelt policy file next to a manifest. */
async function unreadDiagnostics(): Promise<readonly Diagnostic[]> {
  const found = await policyReader([], policyFinder())(join(dirname(rules), 'site.yaml'))
  return found.ok ? found.value.warnings : []
}

async function testDiagnostics(path: string): Promise<readonly Diagnostic[]> {
  const source = { name: path, bytes: readFileSync(path) }
  const policiesFor = policyReader([], policyFinder())
  const tested = await runTests(source, {
    policiesFor,
    isWanted: () => true,
    signal: new AbortController().signal,
  })
  return collectFindings([tested]).diagnostics
}

describe('test/invalid', () => {
  const codes = Object.keys(catalog) as DiagnosticCode[]

  test.each(codes)('has a file for %s', code => {
    expect(files.map(codeOf)).toContain(code)
  })

  test('has a code of the catalog in every path', () => {
    expect(files.map(codeOf).filter(code => !codes.includes(code))).toEqual([])
  })

  test.each(files)('%s has one mistake, at its position', async file => {
    const bytes = readFileSync(join(folder, file))
    const header = /^# expect: (\d+:\d+)(?: beside (\S+))?\n/
    const [, expected, beside] = header.exec(bytes.toString('latin1')) ?? ['', places[file]]
    const diagnostics = await diagnosticsOf(file)
    const others = diagnostics.filter(({ code }) => code === beside)
    expect(others).toHaveLength(beside === undefined ? 0 : 1)
    const [mistake, ...more] = diagnostics.filter(({ code }) => code !== beside)
    expect(more).toEqual([])
    expect(`${mistake?.code} ${mistake && startOf(mistake)}`).toBe(`${codeOf(file)} ${expected}`)
    expect(mistake?.place?.file.startsWith(join(folder, dirname(file)))).toBe(true)
  })

  test('a manifest with warnings or with mistakes outside it is loaded', async () => {
    const manifests = files.filter(file => !ofOtherFiles.includes(catalog[codeOf(file)].phase))
    const passing = manifests.filter(
      file => loadManifest({ name: file, bytes: readFileSync(join(folder, file)) }).ok,
    )
    const harmless = (code: DiagnosticCode) =>
      catalog[code].severity !== 'error' || (catalog[code].phase !== 'manifest' && !/^extends/.test(code))
    expect(passing.map(codeOf)).toEqual(manifests.map(codeOf).filter(harmless))
  })

  // These files cannot begin with the position.
  test.each([
    { name: 'a file of no bytes', content: '', code: 'yaml/empty' },
    { name: 'a file of blank lines', content: '\n \n\n', code: 'yaml/empty' },
    { name: 'nothing but a byte order mark', content: '\uFEFF', code: 'yaml/empty' },
    { name: 'a NUL', content: '\0'.repeat(2), code: 'yaml/not-text' },
    { name: 'UTF-16', content: new Uint8Array([0xff, 0xfe, 0x61, 0x00]), code: 'yaml/not-text' },
  ])('$name is one mistake at 1:1', ({ content, code }) => {
    const { diagnostics } = loadManifest(aSource(content))
    expect(diagnostics.map(diagnostic => `${diagnostic.code} ${startOf(diagnostic)}`)).toEqual([
      `${code} 1:1`,
    ])
  })
})
