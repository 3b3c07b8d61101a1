/** Replaces the children of an element; the successor of a focused link or button gets the focus. */
export function redraw(where, ...children) {
  const workable = () => [...where.querySelectorAll('a, button')]
  const at = workable().indexOf(document.activeElement)
  where.replaceChildren(...children)
  if (at !== -1) workable()[at]?.focus({ preventScroll: true })
}
