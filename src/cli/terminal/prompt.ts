import { isCancel, select, type TextOptions, text } from '@clack/prompts'
import { defaultColumns } from '../../report/terminal.js'
import type { FormQuestion, Host } from '../host.js'

type Streams = Required<Pick<TextOptions, 'input' | 'output'>>
type Terminal = Streams & { readonly signal: AbortSignal }

/** Asks one question on a terminal. Escape goes back; Ctrl-C, Ctrl-D and the end of the input are an interrupt. */
export async function prompt(question: FormQuestion, streams: Streams): ReturnType<Host['prompt']> {
  const { input, output } = streams
  // Some terminals of containers report 0 columns; the editor would write one character per row.
  if ('columns' in output && output.columns === 0) output.columns = defaultColumns
  const stop = new AbortController()
  const end = () => stop.abort()
  let last: string | undefined
  // The editor itself does not end on Ctrl-D or at the end of the input.
  const onKey = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
    last = key?.name
    if (key?.ctrl === true && key.name === 'd') end()
  }
  input.on('keypress', onKey).once('end', end)
  try {
    const terminal = { ...streams, signal: stop.signal }
    const given = await (question.choices === undefined
      ? line(question, terminal)
      : choice(question, terminal))
    if (!isCancel(given)) return { kind: 'line', text: given }
    return { kind: last === 'escape' && !stop.signal.aborted ? 'back' : 'interrupt' }
  } finally {
    input.off('keypress', onKey).off('end', end)
  }
}

function line({ message, initial, rejection }: FormQuestion, terminal: Terminal) {
  return text({
    message,
    ...(initial !== undefined && { placeholder: initial, defaultValue: initial }),
    // An empty line means the default, so that is checked.
    validate: typed => rejection(typed === undefined || typed === '' ? (initial ?? '') : typed),
    ...terminal,
  })
}

function choice({ message, initial, choices = [], label }: FormQuestion, terminal: Terminal) {
  return select<string>({
    message,
    options: choices.map(value => ({ value, label: label?.(value) ?? value })),
    ...(initial !== undefined && { initialValue: initial }),
    ...terminal,
  })
}
