import { type CiSystem, ciSystems } from '../../ci/ci-systems.js'
import { reportedProfiles } from '../../contract/profiles.js'
import { includes, parseVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { placeholder } from '../../manifest/may-be-secret.js'
import { formatNewManifest } from '../../manifest/new-manifest.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatDiagnostics } from '../../report/findings-text.js'
import { shellWord } from '../../report/shell-word.js'
import { type Arguments, flag, type Options, text } from '../command.js'
import type { commonOptions } from '../command-options.js'
import type { Host } from '../host.js'
import { type ColorChoice, type Failure, fail, paintFor } from '../terminal/output.js'
import { isTaken } from '../terminal/write-file.js'
import {
  answersFrom,
  diagnoseAnswers,
  listMissing,
  loadFilled,
  refuseConflicts,
  selectDiagnostics,
} from './answers.js'
import {
  choosePassword,
  findForeign,
  makeCiFile,
  type SchemaLink,
  schemaLink,
  writeNew,
} from './new-files.js'
import {
  applies,
  type Given,
  listFinalDefaults,
  type QuestionName,
  questions,
  readAnswer,
} from './questions.js'

/** The options of a new manifest that are not answers. */
export const newManifestOptions = {
  schema: text(
    'PATH|URL',
    'JSON Schema for editors [default: schemas/deployment.schema.json, beside or above]',
  ),
  force: flag('Replace files that exist'),
  yes: flag('Do not ask; use the default, or CHANGE-ME, for every option that is not given'),
} as const satisfies Options

export interface InitChoices extends Arguments<typeof newManifestOptions & typeof commonOptions> {
  readonly file: string
}

/** Makes a manifest from the options and from the answers to questions, and writes it; prints it for `-`. */
export async function startManifest(given: Given, choices: InitChoices, host: Host): Promise<ExitCode> {
  const { file, color } = choices
  const refuse = (failure: Failure) => fail(host, failure, { color })
  const asks = host.isInteractive && !choices['no-input'] && !choices.yes
  const missing = listMissing(given)
  if (missing.length > 0 && !asks) throw new UsageError(`missing required options: ${missing.join(', ')}`)
  refuseConflicts(given)
  const version = parseVersion(given['service-version'] ?? '')
  if (given.profile !== undefined && version !== undefined && includes(version, reportedProfiles.since))
    throw new UsageError(
      `${reportedProfiles.since} replaced --profile: use --availability-profile and --performance-profile`,
    )
  const link = linkFor(choices)
  const wrong = checkOptions(given) ?? checkExistingFiles(given, choices)
  if (wrong !== undefined) return refuse(wrong)
  // A manifest that is only printed has no path for the file of a CI system.
  const known = file === '-' ? { ...given, ci: 'none' } : given
  const answers = asks ? await askFor(known, host) : known
  if (answers === undefined)
    return refuse({ exitCode: exitCodes.interrupted, message: 'interrupted; nothing was written' })
  const late = checkExistingFiles(answers, choices)
  if (late !== undefined) return refuse(late)
  const system = systemIn(answers)
  const password = choosePassword(system, { file, name: readAnswer('name', answers) })
  const content = formatNewManifest({ ...answersFrom(answers), password }, link?.address)
  const loaded = loadFilled(file, content)
  // Answers that are valid on their own may be invalid together.
  if (!loaded.ok) return refuse(invalid([], loaded.diagnostics.filter(isError)))
  const warnings = loaded.diagnostics.filter(({ severity }) => severity === 'warning')
  printFindings(warnings, color, host)
  const next = content.includes(placeholder)
    ? `replace each ${placeholder}, then landform validate`
    : 'landform plan --emulate'
  const ci = system && makeCiFile(system, loaded.value, choices.force)
  if (ci?.ok === false) return refuse(ci.error)
  writeNew({ content, link, ci: ci?.value, next, notes: noteDefaults(given, answers) }, choices, host)
  return exitCodes.done
}

/** Names the defaults that cannot be changed later. */
export function noteDefaults(given: Given, answers: Given): readonly string[] {
  const defaults = listFinalDefaults(given, answers).join(', ')
  return defaults === '' ? [] : [`defaults that cannot be changed later: ${defaults}`]
}

/** Chooses the schema of the new manifest for editors. */
export function linkFor({ file, schema }: InitChoices): SchemaLink | undefined {
  const link = schemaLink(file === '-' ? 'stdout' : file, schema)
  // If the manifest goes to stdout, no other file is written.
  return file === '-' && link.file !== undefined ? undefined : link
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** Rejects options that no other answers can make valid. */
function checkOptions(given: Given): Failure | undefined {
  const all = diagnoseAnswers(given)
  const givenNames = questions.map(({ name }) => name).filter(name => given[name] !== undefined)
  const select = (name: QuestionName) => selectDiagnostics(all, name).filter(isError)
  const wrong = givenNames.filter(name => select(name).length > 0)
  return wrong.length === 0 ? undefined : invalid(wrong, wrong.flatMap(select))
}

function invalid(names: readonly string[], diagnostics: readonly Diagnostic[]): Failure {
  const which = names.length === 0 ? 'the answers' : names.map(name => `--${name}`).join(', ')
  return {
    exitCode: exitCodes.invalid,
    message: `nothing was written: ${which} would make a manifest that is not valid`,
    // There is no file yet to place them in.
    diagnostics: diagnostics.map(({ place: _, ...diagnostic }) => diagnostic),
  }
}

/** Rejects files that exist already. A file of a CI system that `init` wrote gets the site. */
export function checkExistingFiles(given: Given, { file, force }: InitChoices): Failure | undefined {
  const system = systemIn(given)
  if (file === '-' && system !== undefined)
    throw new UsageError('--ci needs a manifest file; - only prints the manifest')
  if (force || file === '-') return undefined
  const foreign = system && findForeign(system, file)
  const taken = [...(isTaken(file) ? [file] : []), ...(foreign === undefined ? [] : [foreign])]
  if (taken.length === 0) return undefined
  const [verb, them] = taken.length === 1 ? ['exists', 'it'] : ['exist', 'both']
  const instead = taken.includes(file) ? 'name another file' : 'remove --ci'
  return {
    exitCode: exitCodes.refused,
    // Lists all of them, because `--force` replaces them all.
    message: `${taken.map(shellWord).join(' and ')} ${verb} already; nothing was written`,
    next: [`${instead}, or replace ${them} with --force`],
  }
}

/** Returns the CI system for which a file is wanted. */
export function systemIn(given: Given): CiSystem | undefined {
  const answer = readAnswer('ci', given)
  return ciSystems.find(one => one === answer)
}

/** Asks a person for everything that is not given yet; `undefined` if the person stops. */
async function askFor(given: Given, host: Host): Promise<Given | undefined> {
  host.stderr.print('Enter takes the default, Esc goes back, Ctrl-C stops.\n')
  let answers = given
  // Answers that the person took back by going back; they are offered again.
  let earlier: Given = {}
  const asked: QuestionName[] = []
  for (;;) {
    const known = answers
    const question = questions.find(({ name }) => known[name] === undefined && applies(name, known))
    if (question === undefined) return answers
    const { name, message, choices, label, preset } = question
    const options = choices?.(known)
    const before = earlier[name]
    const isOffered = before !== undefined && (options?.includes(before) ?? true)
    const answer = await host.prompt({
      message,
      initial: isOffered ? before : preset?.(known),
      choices: options,
      ...(label !== undefined && { label }),
      rejection: rejectOnce(name, known),
    })
    if (answer.kind === 'line') {
      answers = { ...answers, [name]: answer.text }
      asked.push(name)
      continue
    }
    if (answer.kind !== 'back') return undefined
    const last = asked.pop()
    if (last === undefined) continue
    earlier = { ...earlier, [last]: answers[last] }
    answers = { ...answers, [last]: undefined }
  }
}

/** Rejects invalid lines, and those with a warning until they are entered again. */
function rejectOnce(name: QuestionName, known: Given): (line: string) => string | undefined {
  let warned: string | undefined
  return line => {
    const found = selectDiagnostics(diagnoseAnswers({ ...known, [name]: line }), name)
    const first = found.find(isError) ?? found[0]
    if (first === undefined || (!isError(first) && line === warned)) return undefined
    warned = line
    const keep = isError(first) ? undefined : 'or press Enter again to keep it'
    return [first.message, first.help, keep].filter(Boolean).join('; ')
  }
}

/** Prints findings in the order of their lines. */
export function printFindings(diagnostics: readonly Diagnostic[], color: ColorChoice, host: Host): void {
  if (diagnostics.length === 0) return
  const view = { readLines: () => undefined, paint: paintFor('stderr', color), maxShown: diagnostics.length }
  host.stderr.print(`${formatDiagnostics(diagnostics.toSorted(byPlace), view)}\n`)
}

/** Orders findings by file and line. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  const files = (a.place?.file ?? '').localeCompare(b.place?.file ?? '')
  return files === 0 ? (a.place?.start.line ?? 0) - (b.place?.start.line ?? 0) : files
}
