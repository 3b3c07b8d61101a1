import { removeFullStop } from './phrase.js'

/**
 * What a run had sent when it ended; `perhaps` leaves it open, as for a request of unknown outcome. Only the run knows: the cause of a failure never says
 * it.
 */
export type Sent = 'nothing' | 'no more' | 'perhaps' | 'something'

const words: Readonly<Partial<Record<Sent, string>>> = {
  nothing: 'nothing was sent',
  'no more': 'nothing more was sent',
}

/** Adds what was sent to the sentence of an ending; nothing where a reader cannot rely on it. */
export function addSent(sentence: string, sent: Sent): string {
  const added = words[sent]
  return added === undefined ? sentence : `${removeFullStop(sentence)}; ${added}`
}
