import { display } from '../display.js'

/** Formats an element of XML 1.0. `content` is XML: the result of `joinElements` or `escapeXml`. */
export function formatElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): string {
  const start = [
    name,
    ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(`${value}`)}"`),
  ]
  return `<${start.join(' ')}${content === '' ? '/>' : `>${content}</${name}>`}`
}

/** Joins elements, each on a line of its own. */
export function joinElements(elements: readonly string[]): string {
  return elements.map(one => `\n${one}`).join('')
}

/** Formats an XML document around its root element. */
export function formatXmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

/** Escapes text for an element or an attribute; characters that XML 1.0 cannot hold are replaced. */
export function escapeXml(text: string): string {
  return display(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
