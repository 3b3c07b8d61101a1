import { say } from './element.js'

/** Makes a button copy a text, or select it if the browser does not allow copying. */
export function makeCopy(button: HTMLButtonElement, from: HTMLElement): void {
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(from.textContent)
      say(button, 'Copied')
    } catch {
      getSelection()?.selectAllChildren(from)
    }
    setTimeout(() => say(button, 'Copy'), 1500)
  })
}
