import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { style } from '../../src/report/plan-style.js'

type Node = DefaultTreeAdapterTypes.ChildNode

/** Parses a page. Returns its elements, indented by depth, and all texts outside of code. Skips `wbr` elements. */
export function treeOf(page: string): {
  readonly elements: readonly string[]
  readonly texts: readonly string[]
} {
  const elements: string[] = []
  const texts: string[] = []
  const visit = (node: Node, depth: number, isCode: boolean) => {
    if (node.nodeName === 'wbr' && 'attrs' in node && node.attrs.length === 0) return
    if ('tagName' in node) {
      const attributes = node.attrs.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`)
      elements.push(`${' '.repeat(depth)}${node.tagName}${attributes.join('')}`)
      for (const one of node.childNodes) visit(one, depth + 1, isCode || node.tagName === 'code')
    } else if (node.nodeName === '#comment') elements.push(`${' '.repeat(depth)}comment`)
    else if ('value' in node && !isCode) texts.push(node.value)
  }
  // The style is a constant, which would take a parser long.
  const unstyled = page.replace(`<style>${style}</style>`, '<style></style>')
  for (const node of parse(unstyled).childNodes) visit(node, 0, false)
  return { elements, texts }
}

/** Renders Markdown as a pull request does, with raw HTML and before sanitizing. */
export function htmlOf(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}
