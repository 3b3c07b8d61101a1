import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { style } from '../../src/report/plan-style.js'

type Node = DefaultTreeAdapterTypes.ChildNode

/**
 * The elements of a page with their attributes, one a line by their depth; and every text that is in no code. Where a word
 * may break is no element of the page.
 */
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
  // The style is ours word for word, and a parser reads it letter by letter.
  const unstyled = page.replace(`<style>${style}</style>`, '<style></style>')
  for (const node of parse(unstyled).childNodes) visit(node, 0, false)
  return { elements, texts }
}

/** A Markdown text as a pull request shows it, raw HTML and all, before anything is taken out of it. */
export function htmlOf(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}
