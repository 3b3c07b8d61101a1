/** Puts new children in place of those that are there; a link or a button with the focus hands it to its successor. */
export function redraw(where, ...children) {
  const workable = () => [...where.querySelectorAll('a, button')]
  const at = workable().indexOf(document.activeElement)
  where.replaceChildren(...children)
  if (at !== -1) workable()[at]?.focus({ preventScroll: true })
}
