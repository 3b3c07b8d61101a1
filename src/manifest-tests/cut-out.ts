import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'

/**
 * Makes a source of one part of a file, with blanks for everything around it. Positions stay the same, so diagnostics of
 * the part point into the file.
 */
export function cutOut({ text, spans }: YamlDocument, pointer: JsonPointer, name: string): Source {
  const [from, to] = spans.get(pointer)?.value ?? [0, 0]
  const blank = (part: string) => part.replaceAll(/[^\r\n]/g, ' ')
  const alone = `${blank(text.slice(0, from))}${text.slice(from, to)}${blank(text.slice(to))}`
  return { name, bytes: Buffer.from(alone) }
}
