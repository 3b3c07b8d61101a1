/** Replaces the children of an element; the successor of a focused link or button gets the focus. */
export function redraw(where: HTMLElement, ...children: readonly HTMLElement[]): void {
  const workable = () => [...where.querySelectorAll<HTMLElement>('a, button')]
  const { activeElement } = document
  const at = activeElement instanceof HTMLElement ? workable().indexOf(activeElement) : -1
  where.replaceChildren(...children)
  if (at !== -1) workable()[at]?.focus({ preventScroll: true })
}
