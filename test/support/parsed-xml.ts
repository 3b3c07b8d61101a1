import { SaxesParser } from 'saxes'

interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text in the element, without whitespace between elements. */
  readonly text: string
}

/** Parses an XML 1.0 document strictly. Throws if it is malformed. */
export function parsedXml(document: string): XmlElement {
  const parser = new SaxesParser()
  const open: { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string }[] = [
    { name: '', attributes: {}, children: [], text: '' },
  ]
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => open.push({ name, attributes, children: [], text: '' }))
  parser.on('text', text => {
    const element = open.at(-1)
    if (element !== undefined && text.trim() !== '') element.text += text
  })
  parser.on('closetag', () => {
    const element = open.pop()
    if (element !== undefined) open.at(-1)?.children.push(element)
  })
  parser.write(document).close()
  const [root] = open[0]?.children ?? []
  if (root === undefined) throw new Error('the document has no element')
  return root
}
