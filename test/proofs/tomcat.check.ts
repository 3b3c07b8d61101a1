import fc from 'fast-check'
import { exitCodes } from '../../src/report/exit-code.js'
import { anyText } from '../support/any-text.js'
import { everyParameter } from '../support/every-field.js'
import { landform } from '../support/landform.js'
import { wireTexts } from '../support/wire-texts.js'
import { type CheckRun, declareCheck } from './check.js'
import {
  aLicenseCase,
  aTextCase,
  everyParameterCase,
  exportCases,
  exportEnvironment,
  otherForms,
  type TomcatCase,
} from './tomcat/cases.js'
import { listFormDifferences, listPartDifferences } from './tomcat/meant.js'
import { storageCases } from './tomcat/storage-cases.js'
import { type Encoding, encodings, hasTomcat, readings, startTomcat, type Tomcat } from './tomcat/tomcat.js'
import { configureDirectly, landformOn, listCarelessDifferences, receivedBy } from './tomcat/try-tomcat.js'

const MB = 1024 * 1024
/** Sizes around those of buffers: of Tomcat, of a piece of a body, and of the part that is kept in memory. */
const licenses = [1, 2, 8191, 8192, 65_537, MB, MB + 1, 4 * MB, 4 * MB + 1, 20 * MB, 60 * MB]
const encodingNames = Object.keys(encodings) as readonly Encoding[]

const figures = {
  /** The largest license, in MB. */
  license: [5, 60],
} as const
const counts = {
  parameters: [18, 18],
  manifests: [12, 12],
  'credentials with connections': [24, 24],
  licenses: [9, 11],
  exports: [8, 8],
  texts: [396, 396],
  'redirected commands': [3, 3],
  'controls found': [5, 5],
} as const
type Count = keyof typeof counts

/**
 * Has a servlet read the requests of the command line, as in the service, and compares the values that it receives with the
 * expected ones. The controls are a client that names no encoding, sends JSON unescaped and lets `FormData` change line ends,
 * and another license.
 */
export const check = declareCheck({
  name: 'tomcat',
  shows:
    'In Tomcat, a servlet gets every value unchanged, byte for byte. If Tomcat is set to another encoding than UTF-8, or to none, JSON and forms are still correct, and it reads other non-ASCII texts of `configure` like those of a browser. A redirect that only adds a slash to the address is followed.',
  counts,
  short: 'ci',
  figures,
  async run(run) {
    if (!(await hasTomcat())) {
      const why = 'Tomcat and Java are not both installed (Debian: apt-get install tomcat10-user)'
      return run.skip(`${why}: no servlet read a request`, ...Object.keys(counts))
    }
    const tomcat = await startTomcat(run.scratchFolder())
    run.say(`${tomcat.version}, on ${tomcat.newSite()}`)
    try {
      await tryManifests({ run, tomcat })
      await tryExports({ run, tomcat })
      await tryTexts({ run, tomcat })
      await tryRedirect({ run, tomcat })
      await control({ run, tomcat })
    } finally {
      await tomcat.close()
    }
  },
})

type Run = CheckRun<typeof figures>

interface Fixture {
  readonly run: Run
  readonly tomcat: Tomcat
}

/** Applies manifests, each to a new site, and compares the values that its servlet received with the expected ones. */
async function tryManifests({ run, tomcat }: Fixture) {
  const sizes = licenses.filter(bytes => bytes <= run.figures.license * MB)
  const tried: readonly (readonly [Count, Encoding, TomcatCase])[] = [
    ...encodingNames.flatMap(encoding =>
      [everyParameterCase, ...otherForms].map(one => ['manifests', encoding, one] as const),
    ),
    ...storageCases.map(one => ['credentials with connections', 'usual', one] as const),
    ...sizes.map(bytes => ['licenses', 'usual', aLicenseCase(bytes)] as const),
  ]
  const seen = new Set<string>()
  for (const [count, encoding, one] of tried) {
    const url = tomcat.newSite(encoding, one.version)
    const { exitCode, err } = await landformOn(url, one, 'apply', '--yes')
    const { configure, update } = await receivedBy(tomcat, url)
    run.report(`${one.what}, ${encoding}`, [
      ...(exitCode === exitCodes.done ? [] : [`exit code ${exitCode}: ${err}`]),
      ...listPartDifferences(configure, one.meant, readings[encoding]),
      ...(one.update === undefined ? [] : listFormDifferences(update, one.update)),
    ])
    run.count(count)
    for (const { name } of configure?.parts ?? []) seen.add(name)
  }
  for (const [name] of Object.values(everyParameter.configure))
    if (seen.has(name)) run.count('parameters')
    else run.violation(`${name} was never sent`)
  run.say(`${tried.length} manifests applied; parts: ${[...seen].join(', ')}`)
}

async function tryExports({ run, tomcat }: Fixture) {
  for (const encoding of encodingNames)
    for (const [words, meant] of exportCases) {
      const url = tomcat.newSite(encoding)
      const options = ['--url', url, '--token', 'env:LANDFORM_TOKEN', '--yes']
      const { exitCode, err } = await landform(['export-site', ...options, ...words], {
        environment: exportEnvironment,
      })
      const { exported } = await receivedBy(tomcat, url)
      run.report(`an export, ${encoding}`, [
        ...(exitCode === exitCodes.done ? [] : [`exit code ${exitCode}: ${err}`]),
        ...listFormDifferences(exported, meant),
      ])
      run.count('exports')
    }
}

/** Sends texts that are easily changed on their way, and random ones, without a manifest, which would not allow all of them. */
async function tryTexts({ run, tomcat }: Fixture) {
  const texts = [...wireTexts, ...fc.sample(anyText({ maxLength: 40 }), { numRuns: 60, seed: run.seed })]
  // Tomcat accepts at most 50 parts.
  const batches = [0, 30, 60, 90].map(at => aTextCase(texts.slice(at, at + 30)))
  for (const encoding of encodingNames)
    for (const one of batches) {
      const url = tomcat.newSite(encoding, one.version)
      await configureDirectly(url, one)
      const { configure } = await receivedBy(tomcat, url)
      run.report(
        `texts, ${encoding} (${run.again('--seed', `${run.seed}`)})`,
        listPartDifferences(configure, one.meant, readings[encoding]),
      )
    }
  run.count('texts', texts.length * encodingNames.length)
}

/** Calls a site without the slash at the end of its address, as every manifest does. Its container redirects to one with it. */
async function tryRedirect({ run, tomcat }: Fixture) {
  const url = tomcat.redirectingUrl
  const { status, headers } = await fetch(url, { redirect: 'manual' })
  run.report(
    'the container',
    [`${status} ${headers.get('location')}`].filter(text => text !== '302 /arcgis/admin/'),
  )
  for (const words of [['plan'], ['apply', '--yes'], ['status']]) {
    const { exitCode, out, err } = await landformOn(url, otherForms[1], ...words)
    if (exitCode === exitCodes.done) run.count('redirected commands')
    else run.violation(`landform ${words[0]} --url ${url}: exit code ${exitCode}: ${out}${err}`)
  }
  const { configure } = await receivedBy(tomcat, url)
  run.report('a redirected site', listPartDifferences(configure, otherForms[1].meant))
}

/** Sends the same values as an ordinary form, with mistakes that the comparison must detect. */
async function control({ run, tomcat }: Fixture) {
  const found = await listCarelessDifferences(tomcat)
  for (const [name, differences] of Object.entries(found))
    if (differences.length > 0) run.count('controls found')
    else run.violation(`control: not detected: ${name}`)
}
