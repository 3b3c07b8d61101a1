import { display } from '../display.js'

/** An element of XML 1.0. `content` is XML already: made by `inLines` of elements, or by `xmlText`. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): string {
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${xmlText(`${value}`)}"`)]
  return `<${start.join(' ')}${content === '' ? '/>' : `>${content}</${name}>`}`
}

/** Elements, each on a line of its own. */
export function inLines(elements: readonly string[]): string {
  return elements.map(one => `\n${one}`).join('')
}

/** A document of XML around its root element. */
export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

/** Text for an element or an attribute, safe to print; what XML 1.0 cannot hold is replaced. */
export function xmlText(text: string): string {
  return display(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
