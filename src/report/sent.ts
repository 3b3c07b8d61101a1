import { removeFullStop } from './phrase.js'

/**
 * What a run had sent when it ended; `perhaps` for a request with an unknown outcome. Only the run itself can determine
 * it, not the cause of a failure.
 */
export type Sent = 'nothing' | 'no more' | 'perhaps' | 'something'

const words: Readonly<Partial<Record<Sent, string>>> = {
  nothing: 'nothing was sent',
  'no more': 'nothing more was sent',
}

/** Adds "nothing was sent" or "nothing more was sent" to the sentence of an ending if that is certain. */
export function addSent(sentence: string, sent: Sent): string {
  const added = words[sent]
  return added === undefined ? sentence : `${removeFullStop(sentence)}; ${added}`
}
