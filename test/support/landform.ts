import { run } from '../../src/cli/run.js'
import { type FakeHostOptions, fakeHost } from './fake-host.js'

/** Runs one command line; `folder` is left out of what it prints, which is what a person in that folder would see. */
export async function landform(
  args: readonly string[],
  { folder, ...options }: FakeHostOptions & { readonly folder?: string } = {},
) {
  const host = fakeHost(options)
  const exitCode = await run(args, host)
  const near = (text: string) => (folder === undefined ? text : text.replaceAll(`${folder}/`, ''))
  return { exitCode, out: near(host.out()), err: near(host.err()) }
}
