import { resolve } from 'node:path'
import { statePorts } from '../../library/system-ports.js'
import { findSiteUrlProblem, normalizeSiteUrl } from '../../manifest/site-url.js'
import {
  formatLocation,
  parseDeclaredLocation,
  parseStateLocation,
  type StateLocation,
  stateNotation,
} from '../../manifest/state-location.js'
import { display } from '../../report/display.js'
import { buildFailure } from '../../report/endings/ending.js'
import { endOfMove } from '../../report/endings/move.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatSentence } from '../../report/phrase.js'
import { shellWord } from '../../report/shell-word.js'
import { formatNext } from '../../report/terminal.js'
import type { Result } from '../../result.js'
import { type MoveEnd, moveState } from '../../state/move-state.js'
import type { StateBackend } from '../../state/series.js'
import { type ArgumentsOf, declare, pair } from '../command.js'
import { commonOptions, lockOption, stateOption } from '../command-options.js'
import type { Host } from '../host.js'
import { parseLockTimeout } from '../site/lock-timeout.js'
import { openSession, withSite } from '../site/open-session.js'
import type { SiteSession } from '../site/session.js'
import { allowEndpoint, openAnyLocation, parseStateOption, selectState } from '../site/state-option.js'
import type { Failure } from '../terminal/output.js'

const declaration = declare({
  name: 'state move',
  describe: 'Move the state of a site to another location or address, and leave a pointer',
  touches: 'changes',
  arguments: [
    {
      name: 'from',
      describe: 'Current location of the state, such as file:.landform, or the old address of the site',
    },
    {
      name: 'to',
      describe: 'New location, such as git:origin, or the new address of the site',
    },
    { name: 'file', describe: 'Manifest of the site; - is standard input' },
  ],
  options: { ...stateOption, ...lockOption, ...commonOptions },
  examples: [
    ['state move file:.landform git:origin site.yaml', 'share the state of a site with CI'],
    [
      'state move https://old.example.org/gis/admin https://gis.example.org/gis/admin site.yaml',
      'the address of the site has changed',
    ],
  ],
})

/** Moves the state of a site to another location or address. Sends nothing to the site. */
function stateMove(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { file, from, to } = argv
  const wanted = parseEnds(from, to)
  const state = wanted.kind === 'location' ? undefined : argv.state
  const options = { url: undefined, emulate: false, scenario: [], 'allow-origin': [], needsState: false }
  return withSite({ ...argv, format: [] }, host, {
    formats: [],
    open: () => openSession({ ...argv, ...options, state }, host),
    async work({ session, refuse }) {
      const ends = await openEnds(wanted, { ...session, state: argv.state }, host)
      if (!ends.ok) return refuse(ends.error)
      const { name } = session.manifest
      const moved = await moveState(
        { name, ...ends.value },
        statePorts(host.clock, parseLockTimeout(session.url, argv, host)),
      )
      const ending = endOfMove({ ...moved, name, from, to })
      if (ending.exit !== 'done') return refuse(buildFailure(ending, undefined))
      host.stdout.print(formatSentence(ending.say))
      // Other machines could read the former place.
      if (wanted.kind === 'location' && wanted.to.kind === 'file' && wanted.from.kind !== 'file')
        host.stderr.print(
          `warning: ${display(to)} is a folder of this machine: runs elsewhere stop with exit code 74 until they can read it\n`,
        )
      host.stderr.print(formatNext([nextStep(wanted, { file, to })]))
      return exitCodes.done
    },
  })
}

type Wanted =
  | { readonly kind: 'location'; readonly from: StateLocation; readonly to: StateLocation }
  | { readonly kind: 'address'; readonly from: string; readonly to: string }

/** Parses both ends: two locations or two addresses. Throws a `UsageError`. */
function parseEnds(from: string, to: string): Wanted {
  if (isAddress(from) && isAddress(to))
    return { kind: 'address', from: parseAddress(from), to: parseAddress(to) }
  const [source, target] = [parseStateLocation(from), parseStateLocation(to)]
  if (source.ok && target.ok) return { kind: 'location', from: source.value, to: target.value }
  if (![from, to].some(isAddress)) parseStateOption('state', source.ok ? to : from)
  throw new UsageError(
    `state move takes two locations, each one of ${stateNotation}, or two addresses of a site`,
  )
}

function isAddress(text: string): boolean {
  return /^https?:/.test(text)
}

function parseAddress(text: string): string {
  const problem = findSiteUrlProblem(text)
  if (problem !== undefined) throw new UsageError(`the address ${JSON.stringify(text)} ${problem}`)
  return normalizeSiteUrl(text)
}

async function openEnds(
  wanted: Wanted,
  { url, manifest, state }: Pick<SiteSession, 'url' | 'manifest'> & { readonly state: string | undefined },
  host: Host,
): Promise<Result<{ readonly from: MoveEnd; readonly to: MoveEnd }, Failure>> {
  const folder = resolve(manifest.file === '-' ? '.' : manifest.file, '..')
  if (wanted.kind === 'address') {
    const chosen = await selectState({ state, emulate: false }, host)({ url, folder, manifest })
    if (!chosen.ok) return chosen
    const end = (address: string): MoveEnd => ({
      backend: chosen.value.backend,
      url: address,
      place: { site: address },
    })
    return { ok: true, value: { from: end(wanted.from), to: end(wanted.to) } }
  }
  const openGiven = (location: StateLocation) =>
    openAnyLocation(
      { location, folder: '.' },
      { environment: allowEndpoint(location, host.environment), gitFolder: folder },
    )
  const from = await openGiven(wanted.from)
  if (!from.ok) return from
  const to = await openGiven(wanted.to)
  if (!to.ok) return to
  const end = (backend: StateBackend, location: StateLocation): MoveEnd => ({
    backend,
    url,
    place: { state: formatLocation(absolute(location)) },
  })
  return { ok: true, value: { from: end(from.value, wanted.from), to: end(to.value, wanted.to) } }
}

/** Makes a folder absolute, because the pointer is also read from other folders. */
function absolute(location: StateLocation): StateLocation {
  return location.kind === 'file' ? { kind: 'file', folder: resolve(location.folder) } : location
}

function nextStep(wanted: Wanted, { file, to }: { readonly file: string; readonly to: string }): string {
  if (wanted.kind === 'address')
    return `write \`url: ${to}\` below \`spec.site\` in ${display(file)}, and commit it`
  return parseDeclaredLocation(to).ok
    ? `write \`state: ${to}\` below \`spec\` in ${display(file)}, and commit it`
    : `remove \`state\` below \`spec\` in ${display(file)}, and pass \`--state ${shellWord(to)}\` to every command`
}

export const command = pair(declaration, stateMove)
