import { run } from '../../src/cli/run.js'
import { type FakeHostOptions, fakeHost } from './fake-host.js'

/** Runs a command line. In its output, paths are relative to `folder`, as if that were the working folder. */
export async function landform(
  args: readonly string[],
  { folder, ...options }: FakeHostOptions & { readonly folder?: string } = {},
) {
  const host = fakeHost(options)
  const exitCode = await run(args, host)
  const near = (text: string) => (folder === undefined ? text : text.replaceAll(`${folder}/`, ''))
  return { exitCode, out: near(host.out()), err: near(host.err()) }
}
