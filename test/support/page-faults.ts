/** A script for a page that lists unnamed controls, duplicate ids, skipped heading levels, and cells not exposed as such. */
export const pageFaults = `(() => {
  const seen = node => node.checkVisibility()
  const nameOf = node =>
    node.ariaLabel || [...(node.labels ?? [])].map(label => label.textContent).join('') || node.textContent.trim() || node.alt
  const unnamed = [...document.querySelectorAll('a, button, input, summary, [role=img]')]
    .filter(node => seen(node) && !nameOf(node))
    .map(node => 'no name: ' + node.outerHTML.slice(0, 80))
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map(id => 'twice: ' + id)
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(seen).map(({ tagName }) => Number(tagName[1]))
  const jumps = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1).map(level => 'a jump to h' + level)
  const loose = [...document.querySelectorAll('td, th')]
    .filter(cell => seen(cell) && !cell.closest('[aria-hidden=true]') && !/cell|header/.test(cell.role ?? '') && getComputedStyle(cell).display !== 'table-cell')
    .map(cell => 'a cell that is none: ' + cell.textContent.slice(0, 40))
  return [...unnamed, ...twice, ...jumps, ...loose]
})()`
