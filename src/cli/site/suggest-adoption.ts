import { dirname, join } from 'node:path'
import { shellWord } from '../../report/shell-word.js'
import { formatNext } from '../../report/terminal.js'
import type { SiteArguments, SiteSession } from './session.js'

type Arguments = Pick<SiteArguments, 'file' | 'state' | 'emulate'>

/** Suggests how to go on with a ready site whose apply is not recorded; nothing in a rehearsal. */
export function suggestAdoption(
  { url, manifest }: Pick<SiteSession, 'url' | 'manifest'>,
  { file, state = findLocation(manifest.state, file), emulate }: Arguments,
): readonly string[] {
  if (emulate) return []
  const words = [
    ...['landform', 'adopt', join(dirname(file), 'adopted.yaml'), '--url', url, '--name', manifest.name],
    ...(state === undefined ? [] : ['--state', state]),
  ]
  return [
    'if its state is kept elsewhere, name that place with --state',
    `otherwise record how it was configured: \`${words.map(shellWord).join(' ')}\``,
  ]
}

/** Lists that suggestion for stderr; nothing where less is to be printed. */
export function listAdoption(
  session: Pick<SiteSession, 'url' | 'manifest'>,
  argv: Arguments & { readonly quiet: boolean },
): readonly string[] {
  const next = suggestAdoption(session, argv)
  return next.length === 0 || argv.quiet ? [] : [formatNext(next)]
}

/** Finds the declared location as an option names it: a folder is relative to the manifest there, and to the working folder here. */
function findLocation(declared: string | undefined, file: string): string | undefined {
  const folder = /^file:(?!\/)(.*)$/.exec(declared ?? '')?.[1]
  return folder === undefined ? declared : `file:${join(dirname(file), folder)}`
}
