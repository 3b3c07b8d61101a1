import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Source } from '../manifest/source.js'
import { yamlLimits } from '../manifest/yaml-limits.js'
import type { Result } from '../result.js'
import { readJailed } from '../secrets/file-jail.js'
import { isBelow, manifestRoot } from './manifest-root.js'
import { selectFileName } from './read-bases.js'
import type { NamedFileDefect } from './read-named.js'

/** A file that another file names, or the reason why it cannot be used. */
export type BesideReply = Result<Source, NamedFileDefect>

/** Reads a file that another names by a path from its own folder, as `extends` does: within the root of manifests. */
export async function readBeside(file: string, path: string): Promise<BesideReply> {
  if (isAbsolute(path)) return { ok: false, error: { kind: 'absolute-path' } }
  const folder = realpathSync(dirname(file))
  const root = manifestRoot(folder)
  const wanted = resolve(folder, path)
  if (!isBelow(root, wanted)) return { ok: false, error: { kind: 'outside-repository' } }
  const reply = await readJailed(root, relative(root, wanted), yamlLimits.bytes)
  if (reply.kind === 'read')
    return {
      ok: true,
      value: { name: selectFileName(join(dirname(file), path), realpathSync(wanted)), bytes: reply.bytes },
    }
  return { ok: false, error: reply.kind === 'missing' ? reply : reply.defect }
}
