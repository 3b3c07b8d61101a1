import { preparedProvisioningType } from '../../contract/field-notes.js'
import { findRelease } from '../../contract/versions.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { fixManifest } from '../../manifest/fix-manifest.js'
import { loadManifest } from '../../manifest/load-manifest.js'
import { placeholder } from '../../manifest/may-be-secret.js'
import {
  answerPlaces,
  formatNewManifest,
  type NewVolume,
  type NewVolumes,
} from '../../manifest/new-manifest.js'
import type { Source } from '../../manifest/source.js'
import {
  type ConvertedProperties,
  convertProperties,
  type NamedVersion,
} from '../../migrate/from-properties.js'
import { readAnswers } from '../../migrate/read-answers.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import type { Result } from '../../result.js'
import { type JsonPointer, readParent } from '../../schema/pointer.js'
import { readSource } from '../check/read-source.js'
import type { Host } from '../host.js'
import { type Failure, fail, refuseClashes } from '../terminal/output.js'
import { answersFrom, refuseConflicts } from './answers.js'
import { makeCiFile, writeNew } from './new-files.js'
import { applies, type Given, type QuestionName } from './questions.js'
import {
  byPlace,
  checkExistingFiles,
  type InitChoices,
  linkFor,
  noteDefaults,
  printFindings,
  systemIn,
} from './start-manifest.js'

/**
 * Makes a manifest from files of the vendor's script, chart or module; options override them. Lists the properties that
 * were not migrated and the missing fields, with their places.
 */
export async function migrateProperties(
  files: readonly string[],
  options: { readonly given: Given; readonly choices: InitChoices },
  host: Host,
): Promise<ExitCode> {
  const { choices } = options
  const { file, color } = choices
  // Lines of these files are never shown: some hold secrets.
  const refuse = (failure: Failure) => fail(host, failure, { color })
  if (file !== '-') await refuseClashes([file], files)
  const read = await readFound(files, options.given, host)
  if (!read.ok) return refuse(read.error)
  const { value: found } = read
  const { given, dropped } = answersIn(found, options.given)
  const lacking = needed.filter(name => given[name] === undefined && applies(name, given))
  if (lacking.length > 0) {
    printFindings(found.diagnostics, color, host)
    throw new UsageError(
      `${files.join(' and ')} ${files.length === 1 ? 'lacks' : 'lack'} required values; give ${lacking.map(name => `--${name}`).join(', ')}`,
    )
  }
  refuseConflicts(given)
  const link = linkFor(choices)
  const taken = checkExistingFiles(given, choices)
  if (taken !== undefined) return refuse(taken)
  const { 'storage-class': storageClass, 'volume-size': size } = given
  // The files have no volumes, and options describe them.
  const isLeftToOptions = Object.keys(found.volumes).length === 0 && (storageClass ?? size) !== undefined
  // The other file is not read, so the user must fill in the cloud storage.
  const lacksCloud = found.hasCloudStorage && given.cloud === undefined && applies('cloud', given)
  const answers = {
    ...answersFrom(given),
    ...(!isLeftToOptions && { volumes: withClass(found.volumes, storageClass) }),
    folders: found.folders,
    logLevel: found.logLevel,
    ...(lacksCloud && { sections: { cloudStorage: placeholder } }),
  }
  const composed = formatNewManifest(answers, link?.address)
  const loaded = loadManifest({ name: file === '-' ? '<stdout>' : file, bytes: Buffer.from(composed) })
  const left = loaded.diagnostics.map(one => inProperties(one, found, options.given))
  printFindings([...found.diagnostics, ...dropped, ...left], color, host)
  const next = `${loaded.ok ? '' : 'fix the problems above, then '}landform validate`
  const system = systemIn(given)
  // A manifest that is not valid yet gets no file of a CI system.
  const ci = loaded.ok && system !== undefined ? makeCiFile(system, loaded.value, choices.force) : undefined
  if (ci?.ok === false) return refuse(ci.error)
  const content = replaceTemplates(composed, loaded.diagnostics)
  const settled = {
    ...given,
    ...(lacksCloud && { cloud: placeholder }),
    ...(!isLeftToOptions && { 'volume-size': placeholder }),
  }
  const notes = noteDefaults(settled, given)
  writeNew({ content, link, ci: ci?.value, notes, next }, choices, host)
  return loaded.ok ? exitCodes.done : exitCodes.invalid
}

/** Replaces template text of other tools by the placeholder of `init`. */
function replaceTemplates(content: string, diagnostics: readonly Diagnostic[]): string {
  const templates = diagnostics
    .filter(({ code }) => code === 'manifest/placeholder')
    .map(one => ({ ...one, fix: { kind: 'replace', by: placeholder } as const }))
  const { source } = fixManifest({ name: '', bytes: Buffer.from(content) }, [], templates)
  return Buffer.from(source.bytes).toString()
}

/** Reads these files, and returns their errors. Throws a `UsageError` if they and the option name different versions. */
export async function readFound(
  files: readonly string[],
  options: Given,
  host: Host,
): Promise<Result<ConvertedProperties, Failure>> {
  const sources: Source[] = []
  for (const file of files) {
    const reply = await readSource(host, file, { what: 'property-file' })
    if (!reply.ok) return reply
    sources.push(reply.value)
  }
  const found = convertProperties(readAnswers(sources))
  // An option overrides the file, so diagnostics about its field do not matter.
  const answered = listAnswered(options)
  const diagnostics = found.diagnostics.filter(({ pointer }) => !answered.includes(pointer)).toSorted(byPlace)
  if (diagnostics.every(({ severity }) => severity !== 'error')) {
    refuseOtherVersions(found.versions, options['service-version'])
    return { ok: true, value: { ...found, diagnostics } }
  }
  const message = `nothing was written: ${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} not valid`
  return { ok: false, error: { exitCode: exitCodes.invalid, message, diagnostics } }
}

/** Lists the fields of a manifest that options give. */
function listAnswered(options: Given): readonly JsonPointer[] {
  const cloud = '/spec/cloudStorage'
  return Object.entries({ ...answerPlaces, cloud, credential: cloud } as const).flatMap(([name, pointer]) =>
    options[name as QuestionName] === undefined ? [] : [pointer],
  )
}

/** Rejects versions that differ: each decides which fields exist, and it is unknown which one is meant. */
function refuseOtherVersions(versions: readonly NamedVersion[], option = ''): void {
  const asked = findRelease(option)
  const sources = new Map([
    ...versions.map(
      ({ version, written, place }) =>
        [version, `\`${written}\` in ${place.file}:${place.start.line}`] as const,
    ),
    ...(asked === undefined ? [] : [[asked, '--service-version'] as const]),
  ])
  const named = [...sources].map(([version, source]) => `${version} from ${source}`)
  if (named.length > 1)
    throw new UsageError(`contradicting versions: ${named.join(', and ')}; correct the wrong one`)
}

/** Answers without a default, since they are immutable after creation. */
const needed: readonly QuestionName[] = [
  'service-version',
  'name',
  'url',
  'profile',
  'availability-profile',
  'performance-profile',
  'username',
  'email',
  'full-name',
  'user-type',
  'question',
  'license',
  'server-license',
]

/** Merges the answers of the file and the options, and lists those of the file that the version does not support. */
function answersIn({ answers, places }: ConvertedProperties, options: Given) {
  const chosen = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const given: Given = { ...answers, ...chosen }
  const unsupported =
    given['service-version'] === undefined
      ? []
      : versioned.filter(
          ({ answer }) =>
            given[answer] !== undefined && options[answer] === undefined && !applies(answer, given),
        )
  const dropped = unsupported.map(({ answer, ...facts }) => {
    const place = places.get(answerPlaces[answer])
    return { ...diagnose('properties/left-out', '', facts), ...(place !== undefined && { place }) }
  })
  const gone = Object.fromEntries(unsupported.map(({ answer }) => [answer, undefined]))
  return { given: { ...given, ...gone }, dropped }
}

/** Answers that only some versions support, with their properties. */
const versioned = [
  { answer: 'server-license', names: ['LICENSE_FILE_SERVER'], because: 'one-license' },
  { answer: 'availability-profile', names: ['AVAILABILITY_PROFILE'], because: 'another-profile' },
  { answer: 'performance-profile', names: ['PERFORMANCE_PROFILE'], because: 'another-profile' },
] as const

function withClass(volumes: NewVolumes, storageClass: string | undefined): NewVolumes {
  if (storageClass === undefined) return volumes
  // No class provisions a volume that exists already.
  const fill = (volume: NewVolume): NewVolume =>
    volume.provisioningType === preparedProvisioningType ? volume : { storageClass, ...volume }
  return Object.fromEntries(Object.entries(volumes).map(([name, volume]) => [name, fill(volume)]))
}

/** Moves a diagnostic about the manifest to the property behind its field. A value from an option has no place. */
function inProperties(diagnostic: Diagnostic, { places }: ConvertedProperties, options: Given): Diagnostic {
  const around = (pointer: JsonPointer): JsonPointer | undefined =>
    places.has(pointer) ? pointer : pointer === '' ? undefined : around(readParent(pointer))
  const nearest = around(diagnostic.pointer)
  const place = nearest === undefined ? undefined : places.get(nearest)
  const isOption = nearest !== undefined && listAnswered(options).includes(nearest)
  if (place === undefined || isOption) return diagnostic
  const { related: _, ...rest } = diagnostic
  return { ...rest, place }
}
