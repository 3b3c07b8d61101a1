import { display } from './display.js'

/**
 * Quotes a word for a shell if needed, so that it can be pasted. Invisible characters become bytes in `$'…'` (bash,
 * zsh, ksh).
 */
export function shellWord(text: string): string {
  if (/^[\w./@:+-]+$/.test(text)) return text
  if (display(text, text.length) === text) return `'${text.replaceAll("'", `'\\''`)}'`
  const shown = [...text].map(one => (/['\\]/.test(one) ? `\\${one}` : isShown(one) ? one : escapeBytes(one)))
  return `$'${shown.join('')}'`
}

/** Returns false also for `#`, which begins a command to a CI runner. */
function isShown(character: string): boolean {
  return character !== '#' && display(character) === character
}

function escapeBytes(character: string): string {
  return Buffer.from(character).toString('hex').replaceAll(/../g, '\\x$&')
}
