import { type Adoption, adoptSite } from '../../apply/adopt-site.js'
import { readInventory, siteExplorer } from '../../client/read-inventory.js'
import { nonce } from '../../library/system-ports.js'
import { covers, findContradictions, recordStatement, wholeSite, widenParts } from '../../plan/assertion.js'
import { classifyFields } from '../../plan/fields/classify-fields.js'
import type { Observation } from '../../plan/observation.js'
import type { FieldChange, FieldStatus } from '../../plan/plan.js'
import { diagnoseSettings, diagnoseVersion, findBlocker } from '../../plan/planner.js'
import { adoptionDocument, formatAdoption } from '../../report/adoption.js'
import { display } from '../../report/display.js'
import { endOfAdoption } from '../../report/endings/adoption.js'
import { endOfBlocker } from '../../report/endings/blockers.js'
import { buildFailure, type NextCommands } from '../../report/endings/ending.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatValue } from '../../report/field-rows.js'
import { shellWord } from '../../report/shell-word.js'
import { formatDotted } from '../../schema/pointer.js'
import { siteFormats } from '../command-options.js'
import type { Host } from '../host.js'
import { parseFields } from '../options.js'
import { type Failure, jsonText } from '../terminal/output.js'
import { openSession, withSite } from './open-session.js'
import { collectSituation } from './read-site.js'
import type { ApplyArguments, SiteArguments } from './session.js'

interface AssertArguments extends SiteArguments, Pick<ApplyArguments, 'format' | 'color'> {
  readonly field: readonly string[]
  readonly by: string | undefined
  readonly reason: string | undefined
  readonly insist: boolean
}

/** Records that a site, or single fields of it, are as its manifest says. First compares them with what the site reports. */
export async function assertSite(argv: AssertArguments, host: Host): Promise<ExitCode> {
  const { file, field, reason, insist } = argv
  const named = parseFields('field', field)
  const isWhole = field.length === 0
  if (!isWhole && reason === undefined)
    throw new UsageError('--field needs --reason TEXT: the reason for the change, which is kept in the state')
  return withSite(argv, host, {
    formats: siteFormats,
    open: () => openSession(argv, host),
    async work({ session, refuse, warn, report }) {
      const { url, route, provideToken, state, commands } = session
      const collected = await collectSituation(session, host)
      if (!collected.ok) return refuse(collected.error)
      const { value: situation } = collected
      const { desired, observed, settings } = situation
      warn([
        ...session.warnings,
        ...diagnoseVersion(desired, observed),
        ...diagnoseSettings(desired, settings),
      ])
      const unready = explainUnready(observed, { url, commands })
      if (unready !== undefined) return refuse(unready)
      const parts = isWhole ? [wholeSite] : widenParts(named, desired)
      const explore = siteExplorer(url, provideToken, route)
      const inventory = await readInventory(explore, new AbortController().signal)
      const differing = findContradictions(situation, parts, inventory.volumes)
      if (differing.length > 0 && !insist)
        return refuse(explainContradictions(differing, file, [commands.adopt, ...namedWords(argv)].join(' ')))
      const who = findPerson(argv, host)
      const { licenses } = situation
      const adopted = await adoptSite(
        { state, now: () => host.clock.now(), nonce },
        {
          ...who,
          parts,
          replaces: isWhole ? 'assertion' : 'parts',
          record: (before, assertedAt) =>
            recordStatement(before, { ...who, parts, desired, licenses, assertedAt }),
        },
      )
      if (adopted.kind !== 'adopted') return refuse(buildFailure(endOfAdoption(adopted), commands))
      const { record, assertedAt } = adopted
      const fields = classifyFields({ ...situation, record }).filter(one =>
        parts.some(part => covers(part, one.pointer)),
      )
      const list = (verdict: FieldStatus) =>
        fields.filter(one => one.verdict === verdict).map(({ pointer }) => pointer)
      const made = {
        url,
        version: observed.version ?? null,
        manifest: file,
        state: state.where,
        assertedAt,
        ...who,
        read: list('equal'),
        asserted: [
          ...list('asserted'),
          ...parts.filter(part => !fields.some(one => covers(part, one.pointer))),
        ],
        unknown: list('unknowable'),
        unread: [],
        leftOut: [],
        resources: inventory.resources,
      }
      return report(format => (format === 'json' ? jsonText(adoptionDocument(made)) : formatAdoption(made)))
    },
  })
}

/** The variables that contain the name of a person: those of CI systems, then those of a login. */
const personVariables = [
  'GITHUB_ACTOR',
  'GITLAB_USER_LOGIN',
  'BUILD_REQUESTEDFOR',
  'USER',
  'LOGNAME',
  'USERNAME',
]

/** Finds the person who asserts something, and the reason. */
export function findPerson(
  { by, reason }: { readonly by: string | undefined; readonly reason: string | undefined },
  { environment }: Pick<Host, 'environment'>,
): Pick<Adoption, 'by' | 'reason'> {
  const person = by ?? personVariables.map(name => environment[name]).find(Boolean)
  return { ...(person !== undefined && { by: person }), ...(reason !== undefined && { reason }) }
}

/** Explains why a site cannot be adopted as it is; `undefined` for a ready one. */
export function explainUnready(
  observed: Observation,
  { url, commands }: { readonly url: string; readonly commands: NextCommands },
): Failure | undefined {
  if (observed.kind === 'not-configured')
    return {
      exitCode: exitCodes.stale,
      message: 'nothing to adopt: the site is not configured',
      next: [`write a manifest with \`landform init --url ${shellWord(url)}\`, and apply it`],
    }
  if (observed.kind === 'in-progress')
    return {
      exitCode: exitCodes.inProgress,
      message: 'nothing to adopt yet: the configuration is under way',
      next: ['adopt the site once it is ready'],
    }
  const blocker = findBlocker(observed, [])
  return blocker && buildFailure(endOfBlocker({ ...blocker, done: 'compared' }), commands)
}

/** Formats the options that a repeated command needs. */
function namedWords({ field, by, reason }: AssertArguments): readonly string[] {
  const options = [...field.map(one => ['--field', one]), ['--by', by], ['--reason', reason]] as const
  return options.flatMap(([name = '', value]) => (value === undefined ? [] : [name, shellWord(value)]))
}

function explainContradictions(differing: readonly FieldChange[], file: string, again: string): Failure {
  const lines = differing.map(({ pointer, before, after }) => {
    const [site, manifest] = [before, after].map(value =>
      value === undefined ? 'none' : formatValue(pointer, value),
    )
    return `${display(formatDotted(pointer))} is ${site} on the site, but ${manifest} in the manifest`
  })
  return {
    exitCode: exitCodes.stale,
    message: `the site differs from ${display(file)}: ${lines.join('; ')}; nothing was written`,
    next: [
      'write the values of the site into the manifest',
      `or record the manifest anyway: \`${again} --insist\``,
    ],
  }
}
