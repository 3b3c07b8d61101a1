import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Source } from '../manifest/source.js'
import type { YamlDocument } from '../manifest/yaml-document.js'

/**
 * A part of a file as a file of its own, in which everything still stands where it stood: all around it is blank. So what is
 * said of the part points into the file.
 */
export function cutOut({ text, spans }: YamlDocument, pointer: JsonPointer, name: string): Source {
  const [from, to] = spans.get(pointer)?.value ?? [0, 0]
  const blank = (part: string) => part.replaceAll(/[^\r\n]/g, ' ')
  const alone = `${blank(text.slice(0, from))}${text.slice(from, to)}${blank(text.slice(to))}`
  return { name, bytes: Buffer.from(alone) }
}
