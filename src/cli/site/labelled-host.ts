import { display } from '../../report/display.js'
import { exitCodes, isUsageError } from '../../report/exit-code.js'
import { describeFileFailure } from '../../report/file-problem.js'
import type { Host, Output } from '../host.js'
import type { Failure } from '../terminal/output.js'

/** Wraps the host for one of many sites: each output line goes to `say`. */
export function siteHost(host: Host, say: (line: string) => void): Host {
  const write = (text: string) => {
    for (const line of text.split('\n')) if (line !== '') say(line)
  }
  const output: Output = {
    isTerminal: false,
    columns: 0,
    rows: 0,
    get isBroken() {
      return host.stderr.isBroken
    },
    write,
    print: write,
    pin: () => undefined,
    unpin: () => undefined,
  }
  return { ...host, stdout: output, stderr: output, isInteractive: false }
}

/** Labels a line about one of many sites. The bracket comes first, because CI runners parse commands there. */
export function labelLine(site: string, line: string): string {
  return `[${display(site, 60)}] ${line}\n`
}

/** Wraps the host to print each line only once, although many sites produce it. */
export function printOnce(host: Host): Host {
  const printed = new Set<string>()
  return siteHost(host, line => {
    if (!printed.has(line)) host.stderr.print(`${line}\n`)
    printed.add(line)
  })
}

/** Runs the work for one site. An internal error becomes a failure of this site, and does not end the others. */
export async function withErrorBoundary<R>(
  work: () => Promise<R>,
  failed: (failure: Failure) => R | Promise<R>,
): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (isUsageError(error)) throw error
    const failure = describeFileFailure(error)
    if (failure !== undefined) return failed(failure)
    // The message of the error is left out, because it could quote a secret.
    const message = `internal error (${(error as Error).name}); this is a defect of Landform, please report it`
    return failed({ exitCode: exitCodes.internal, message })
  }
}

/** The limits of the work on a list. */
interface Pool {
  readonly concurrency: number
  /** Called before each item. Once it returns false, no further item starts; started ones are completed. */
  goesOn(): boolean
}

/** Processes a list with limited concurrency; an item that was not started has no result. `work` must not throw. */
export async function runInPool<T, R>(
  items: readonly T[],
  { concurrency, goesOn }: Pool,
  work: (item: T) => Promise<R>,
): Promise<readonly (R | undefined)[]> {
  const results: (R | undefined)[] = items.map(() => undefined)
  const waiting = items.entries()
  const worker = async () => {
    while (goesOn()) {
      const { done, value } = waiting.next()
      if (done === true) return
      const [at, item] = value
      results[at] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}
