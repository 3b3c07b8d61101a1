import { catalog, type DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { findSimilar } from '../../diagnostics/did-you-mean.js'
import { findFieldByPath, findKnownPart, suggestField } from '../../manifest/field-path.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { explainCode, explainField } from '../../report/explain.js'
import { type ArgumentsOf, declare, pair } from '../command.js'
import { commonOptions } from '../command-options.js'
import type { Host } from '../host.js'
import { paintFor } from '../terminal/output.js'

const declaration = declare({
  name: 'explain',
  describe: 'Explain a diagnostic code or a field of a manifest',
  touches: 'nothing',
  arguments: [
    {
      name: 'subject',
      describe: 'A code such as volume/size, or a field such as spec.volumes.BLOB.size',
      suggests: 'codes and fields',
    },
  ],
  options: commonOptions,
  examples: [
    ['explain volume/size', 'explain the diagnostic and its fix'],
    ['explain spec.profile', 'explain the field and its values'],
  ],
})

/** Explains a diagnostic, or a field of a manifest. */
async function explain({ subject, color }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const paint = paintFor('stdout', color)
  const pointer = /[a-z]/i.test(subject) ? findFieldByPath(subject) : undefined
  if (Object.hasOwn(catalog, subject)) host.stdout.print(explainCode(subject as DiagnosticCode, paint))
  else if (pointer !== undefined) host.stdout.print(explainField(pointer, paint))
  else throw new UsageError(describeUnknown(subject))
  return exitCodes.done
}

function describeUnknown(subject: string): string {
  const codes = Object.keys(catalog)
  const meant = subject.includes('/')
    ? (codes.find(code => code.startsWith(subject)) ?? findSimilar(subject, codes))
    : suggestField(subject)
  if (meant !== undefined) return `unknown code or field ${JSON.stringify(subject)}; did you mean ${meant}?`
  const part = findKnownPart(subject)
  const remedy =
    part === undefined || part.fields.length === 0
      ? 'name a code such as volume/size or a field such as spec.profile'
      : `${part.owner} has the fields ${part.fields.join(', ')}`
  return `unknown code or field ${JSON.stringify(subject)}; ${remedy}`
}

export const command = pair(declaration, explain)
