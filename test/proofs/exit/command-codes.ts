import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listExitCodes } from '../../../scripts/reference/exit-code-facts.js'
import { commands } from '../../../src/cli/run.js'
import { type NamedFiles, wordsOf } from '../../support/command-lines.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { exampleFolder } from './example-folder.js'

const nobody = 'http://127.0.0.1:9/admin'

/** Gives every command each kind of bad input: the code is a documented one, and the one that the input asks for. */
export async function undocumented(
  codes: Set<number>,
): Promise<{ readonly runs: number; readonly found: readonly string[] }> {
  const found: string[] = []
  let runs = 0
  const folder = await exampleFolder()
  const broken = join(folder, 'broken.yaml')
  writeFileSync(broken, 'a: [')
  const files = (manifest: string): NamedFiles => ({
    manifest,
    url: nobody,
    plan: manifest,
    written: folder,
    signKey: manifest,
    publicKey: manifest,
    policy: manifest,
    nodes: manifest,
    storageClasses: manifest,
  })
  for (const entry of commands) {
    if (entry.name === 'emulate') continue
    const takesFile = entry.arguments.some(({ name }) => name === 'file' || name === 'files')
    const isSite = entry.options['url'] !== undefined
    const writesManifest = ['init', 'adopt'].includes(entry.name)
    const also = entry.name === 'export-site' ? ['--location', '/b', '--yes'] : []
    const words = (manifest: string) => [...wordsOf(entry, files(manifest)), ...also]
    const tries: readonly (readonly [string, readonly string[], readonly number[] | undefined])[] = [
      ['its help', [...words(join(folder, 'quickstart.yaml')), '--help'], [0]],
      ['an unknown option', [...words(join(folder, 'quickstart.yaml')), '--there-is-no-such'], [64]],
      ...(takesFile && !writesManifest
        ? ([
            ['a missing file', words(join(folder, 'nowhere.yaml')), [66]],
            ['no YAML', words(broken), [65]],
            ['a folder', words(folder), undefined],
          ] as const)
        : []),
      ...(isSite && !writesManifest && !entry.name.startsWith('state ')
        ? ([['no network', [...words(join(folder, 'quickstart.yaml')), '--url', nobody], undefined]] as const)
        : []),
    ]
    for (const [what, line, wanted] of tries) {
      runs += 1
      const { exitCode, err } = await landform(line, { environment: someSecrets })
      codes.add(exitCode)
      if (!listExitCodes(entry.name).includes(exitCode))
        found.push(`${entry.name}, ${what}: ${exitCode} is not documented`)
      if (wanted !== undefined && !wanted.includes(exitCode))
        found.push(`${entry.name}, ${what}: ${exitCode}, not ${wanted}: ${err}`)
    }
  }
  const planned = ['plan', join(folder, 'quickstart.yaml'), '--emulate', '--detailed-exitcode']
  codes.add((await landform(planned)).exitCode)
  return { runs: runs + 1, found }
}
