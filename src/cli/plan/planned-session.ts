import type { SavedPlan } from '../../plan/saved/saved-plan.js'
import { display } from '../../report/display.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import { shellWord } from '../../report/shell-word.js'
import type { Host } from '../host.js'
import { nextCommands, type TypedCommands } from '../site/next-commands.js'
import { openSession } from '../site/open-session.js'
import { confirmSaved, planSession } from '../site/read-site.js'
import type { ApplyArguments, PlannedSession } from '../site/session.js'
import type { Failure } from '../terminal/output.js'
import type { OpenResult } from '../with-opened.js'
import { readSignature, signatureFailure } from './plan-signature.js'
import {
  checkManifest,
  findChangedInputs,
  findChangedPolicies,
  isPlainFile,
  isPlanFile,
  readPlanFile,
  toStaleFailure,
} from './saved-plan-file.js'

type PlannedArguments = ApplyArguments & { readonly file: string }

/** Opens a manifest, or the manifest of a saved plan. Sends nothing, and reads the same secrets as `openSession`. */
export async function openPlanned(args: PlannedArguments, host: Host): Promise<OpenResult<PlannedSession>> {
  // With --manifest the file must be a plan.
  if (args.manifest !== undefined || isPlanFile(args.file)) return openPlanFile(args, host)
  if (args['require-signature'] !== undefined)
    throw new UsageError(`--require-signature takes a saved plan: ${display(args.file)} is a manifest`)
  const opened = await openSession(args, host)
  if (!opened.ok) return opened
  const { value: session } = opened
  return {
    ok: true,
    value: {
      ...session,
      saved: undefined,
      signature: undefined,
      file: args.file,
      given: args.file,
      plan: options => planSession(session, host, options),
    },
  }
}

async function openPlanFile(args: PlannedArguments, host: Host): Promise<OpenResult<PlannedSession>> {
  if (args.emulate) throw new UsageError('--emulate takes a manifest: a saved plan is for its own site')
  if (args['ignore-immutable'].length > 0)
    throw new UsageError('--ignore-immutable belongs to plan: a saved plan has its ignored edits')
  const read = readPlanFile(args.file)
  const signature = await readSignature(args.file)
  if (!read.ok) return reject(refuseSigned(read.error, signature))
  const { value: saved } = read
  const unsigned = await signatureFailure(args.file, saved.id, args['require-signature'])
  if (unsigned !== undefined) return reject(unsigned)
  const again = saveAgain(nextCommands({ ...args, file: saved.plan.manifest }), args.file)
  const mismatch = await checkManifest(saved, { file: args.file, pinned: args.manifest, again })
  if (mismatch !== undefined) return reject(mismatch)
  return openSaved(saved, { args, signature, savedIn: args.file }, host)
}

/**
 * Opens the manifest of a saved plan. The session performs exactly that plan. `savedIn` is the file of the plan; absent if
 * this run made it.
 */
export async function openSaved(
  saved: SavedPlan,
  {
    args,
    signature,
    savedIn,
  }: { readonly args: PlannedArguments; readonly signature?: string | undefined; readonly savedIn?: string },
  host: Host,
): Promise<OpenResult<PlannedSession>> {
  const { manifest } = saved.plan
  const replan = (commands: TypedCommands) =>
    savedIn === undefined ? commands : saveAgain(commands, savedIn)
  const again = replan(nextCommands({ ...args, file: manifest }))
  if (!(await isPlainFile(manifest))) return reject(toStaleFailure(await findChangedInputs(saved), again))
  // A person signed the plan under these policies; changed ones may permit less.
  const policies = signature === undefined ? [] : await findChangedPolicies(saved)
  if (policies.length > 0) return reject(refuseSigned(toStaleFailure(policies, again), signature))
  const opened = await openSession({ ...args, file: manifest }, host)
  if (!opened.ok) {
    const failure = await staleOr(saved, opened.error.failure, again)
    return { ok: false, error: { ...opened.error, failure } }
  }
  const { value: session } = opened
  const commands = replan(session.commands)
  return {
    ok: true,
    value: {
      ...session,
      commands,
      saved,
      signature,
      file: manifest,
      given: savedIn ?? manifest,
      async plan({ signal }) {
        const made = await confirmSaved({ ...session, commands }, host, { saved, signal })
        return made.ok || made.error.moved !== undefined
          ? made
          : { ok: false, error: await staleOr(saved, made.error, again) }
      },
    },
  }
}

/** Adds `--out` to the `plan` command, so that it saves the new plan in the same file. */
function saveAgain({ plan, ...commands }: TypedCommands, file: string): TypedCommands {
  return { ...commands, plan: `${plan} --out ${shellWord(file)}` }
}

function reject(failure: Failure): OpenResult<never> {
  return { ok: false, error: { failure } }
}

/** Reports the stale inputs instead of a failure that they may have caused. */
async function staleOr(saved: SavedPlan, failure: Failure, again: TypedCommands): Promise<Failure> {
  const moved = await findChangedInputs(saved)
  return moved.length === 0 ? failure : toStaleFailure(moved, again)
}

/** Gives the failure of a stale signed plan the exit code `refused`, because the signature is not for the new plan. */
function refuseSigned(failure: Failure, signature: string | undefined): Failure {
  return signature === undefined || failure.exitCode !== exitCodes.stale
    ? failure
    : { ...failure, exitCode: exitCodes.refused }
}
