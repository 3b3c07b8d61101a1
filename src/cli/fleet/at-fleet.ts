import type { ExitCode } from '../exit-code.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseTargets, type Target } from '../options.js'
import type { Opened } from '../site/session.js'
import { type ColorChoice, checkReportPaths, checkReports, type Failure, fail } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import type { Chosen } from './chosen-files.js'
import { closeOpened, type Member, type OpenedSite, openFleet } from './open-fleet.js'

/** What a command about many sites works with. */
export interface FleetDesk<S, F extends string> {
  readonly members: readonly Member<S>[]
  readonly targets: readonly Target<F>[]
  /** Says why the command cannot go on, and answers with the exit code. */
  refuse(failure: Failure): Promise<ExitCode>
}

interface FleetArguments {
  readonly format: readonly string[]
  readonly color: ColorChoice
  readonly url: string | undefined
  readonly events?: string | undefined
  readonly policy?: readonly string[]
}

interface FleetShift<S, F extends string> {
  readonly formats: readonly F[]
  readonly chosen: Chosen & { readonly kind: 'many' }
  /** Other files that the command reads. */
  readonly inputs?: readonly (string | undefined)[]
  open(file: string, host: Host): Promise<Opened<S>>
  work(desk: FleetDesk<S, F>): Promise<ExitCode>
}

/** Opens many sites, lets the command work, and closes them whatever happens. What is wrong with all is refused first. */
export async function atFleet<S extends OpenedSite, F extends string>(
  argv: FleetArguments,
  host: Host,
  { formats, chosen, inputs = [], open, work }: FleetShift<S, F>,
): Promise<ExitCode> {
  const { color } = argv
  if (argv.url !== undefined) throw new UsageError('--url is the address of one site; name one manifest')
  const targets = parseTargets(argv.format, formats)
  const outputs = [...targets.map(({ file }) => file), argv.events]
  const named = [...chosen.candidates.map(({ file }) => file), ...(argv.policy ?? [])]
  const read = [...named, ...inputs.flatMap(file => file ?? [])]
  await checkReportPaths(outputs, read)
  const refuse = (failure: Failure) => fail(host, failure, { targets, color, linesOf: () => undefined })
  if (chosen.problem !== undefined) {
    await checkReports(outputs, read)
    return refuse({ exitCode: exitCodes.missing, message: chosen.problem })
  }
  const { members, problem } = await openFleet(chosen.candidates, host, open)
  try {
    const inner = members.flatMap(
      ({ opened }) => (opened.ok ? opened.value.inputs : opened.error.inputs) ?? [],
    )
    await checkReports(outputs, [...read, ...inner])
    return problem === undefined ? await work({ members, targets, refuse }) : await refuse(problem)
  } finally {
    for (const { opened } of members) await closeOpened(opened)
  }
}
