import type { Observation } from '../../plan/observation.js'
import { type ExitCode, exitCodes, worstExitCode } from '../../report/exit-code.js'
import { fleetStatusDocument, formatStatuses, type SiteStatus } from '../../report/fleet.js'
import type { Result } from '../../result.js'
import { type Chosen, parseConcurrency } from '../check/expand-files.js'
import type { ArgumentsOf } from '../command.js'
import type { status } from '../declarations/sites.js'
import type { Host, Signal } from '../host.js'
import { openSession } from '../site/open-session.js'
import { observe } from '../site/read-site.js'
import type { SiteSession } from '../site/session.js'
import { notify, signalCodes } from '../terminal/interaction.js'
import { emit, type Failure, fail, jsonText, paintFor } from '../terminal/output.js'
import { closeOpened, type Member, withFleet } from './open-fleet.js'
import { labelLine, runInPool, siteHost, withErrorBoundary } from './site-host.js'

interface Asked {
  readonly chosen: Chosen & { readonly kind: 'many' }
  /**
   * Waits until a configuration of a site has ended, before the site is read; or explains why there is nothing to wait
   * for.
   */
  follow?(session: SiteSession, at: Host): Promise<ExitCode | Failure>
}

type FleetSiteStatus = SiteStatus & { readonly exitCode: ExitCode }

/** Shows the states of many sites. */
export async function statusFleet(
  argv: Omit<ArgumentsOf<typeof status>, 'files'>,
  host: Host,
  { chosen, follow }: Asked,
): Promise<ExitCode> {
  const concurrency = parseConcurrency(argv.concurrency)
  const { color } = argv
  return withFleet(argv, host, {
    formats: ['text', 'json'] as const,
    chosen,
    open: (file, at) => openSession({ ...argv, file }, at),
    async work({ members, targets }) {
      const signals = follow && sharedSignals(host)
      const poll = async ({ site, file, url, opened }: Member): Promise<FleetSiteStatus> => {
        const plainHost = siteHost(host, line => host.stderr.print(labelLine(site, line)))
        const at = signals === undefined ? plainHost : { ...plainHost, onSignal: signals.onSignal }
        const seen = await withErrorBoundary<ObservedSite>(
          async () =>
            opened.ok
              ? observeSite(opened.value.session(), at, follow)
              : { ok: false, error: opened.error.failure },
          failure => ({ ok: false, error: failure }),
        )
        const { readLines } = opened.ok ? opened.value.session() : opened.error
        await closeOpened(opened)
        const known = { site, file, url }
        if (seen.ok) return { ...known, ...seen.value }
        await fail(at, seen.error, { color, readLines })
        return { ...known, exitCode: seen.error.exitCode, failure: seen.error }
      }
      const goesOn = () => signals?.received() === undefined
      const polled = await runInPool(members, { concurrency, goesOn }, poll)
      signals?.forget()
      const polls = members.map((member, at) => polled[at] ?? toInterrupted(member, signals?.received()))
      if (follow && argv.notify) notify(host, `the wait for ${polls.length} sites has ended`)
      const written = await emit(host, targets, (format, toFile) =>
        format === 'json'
          ? jsonText(fleetStatusDocument(polls))
          : formatStatuses(polls, paintFor('stdout', toFile ? 'never' : color)),
      )
      return worstExitCode([...polls.map(one => one.exitCode), written ? exitCodes.done : exitCodes.state])
    },
  })
}

function toInterrupted({ site, file, url }: Member, received: Signal = 'SIGINT'): FleetSiteStatus {
  const exitCode = signalCodes[received]
  return { site, file, url, exitCode, failure: { exitCode, message: 'interrupted before it was read' } }
}

type ObservedSite = Result<{ readonly observed: Observation; readonly exitCode: ExitCode }, Failure>

async function observeSite(session: SiteSession, at: Host, follow: Asked['follow']): Promise<ObservedSite> {
  const exitCode = follow === undefined ? exitCodes.done : await follow(session, at)
  if (typeof exitCode !== 'number') return { ok: false, error: exitCode }
  const polled = await observe(session, new AbortController().signal)
  return polled.ok ? { ok: true, value: { observed: polled.value, exitCode } } : polled
}

/** One listener for the signals of the user, shared by all sites. */
export interface SharedSignals {
  /** Calls back on the first signal, and at once where it came already. */
  onSignal(listener: (signal: Signal) => void): () => void
  received(): Signal | undefined
  forget(): void
}

/** Listens once, and passes the signal to all listeners. */
export function sharedSignals(host: Host): SharedSignals {
  const listeners = new Set<(signal: Signal) => void>()
  let received: Signal | undefined
  const forget = host.onSignal(signal => {
    received = signal
    for (const listener of listeners) listener(signal)
  })
  return {
    onSignal(listener) {
      if (received === undefined) listeners.add(listener)
      else listener(received)
      return () => listeners.delete(listener)
    },
    received: () => received,
    forget,
  }
}
