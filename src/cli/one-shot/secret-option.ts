import { pathProblem } from '../../manifest/path-problem.js'
import { variablePattern } from '../../schema/manifest/references.js'
import type { SecretSource } from '../../secrets/secret-source.js'
import type { WantedSecret } from '../../secrets/wanted.js'
import { UsageError } from '../usage-error.js'

const ofOption = '/--'

/** Reads an option that says where a secret is. The text may be the secret itself, so no message quotes it. */
export function parseSecretOption(name: string, text: string | undefined): WantedSecret | undefined {
  if (text === undefined) return undefined
  const pointer = `${ofOption}${name}` as const
  const [, kind, where = ''] = /^(env|file):(.+)$/s.exec(text) ?? []
  if (kind === undefined)
    throw new UsageError(
      `--${name} says where the secret is, env:LANDFORM_… or file:PATH; a secret itself is never an option`,
    )
  if (kind === 'env') {
    if (!new RegExp(variablePattern).test(where))
      throw new UsageError(`--${name} names an environment variable that begins with LANDFORM_`)
    return { kind: 'secret', pointer, reference: { env: where } }
  }
  const problem = where.split('/').includes('..') ? 'leaves the working folder' : pathProblem(where)
  if (problem !== undefined) throw new UsageError(`the path of --${name} ${problem}`)
  return { kind: 'secret', pointer, reference: { file: where } }
}

/** A source of secrets in which the files that options name lie below the working folder, `here`. */
export function withOptionFiles(source: SecretSource, here: SecretSource): SecretSource {
  return {
    ...source,
    file: (at, mostBytes) =>
      at.pointer.startsWith(ofOption) ? here.file(at, mostBytes) : source.file(at, mostBytes),
  }
}
