import { removeFullStop } from './phrase.js'

/** What a run had sent when it ended; `perhaps` if the outcome is unknown. A failure alone does not determine it. */
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
