/** One thing to try, and a function that rejects when it does not come out as the sentence says. */
export type Case = readonly [what: string, holds: () => Promise<void>]

/**
 * One sentence, table row or list item of the service document, in words of our own: `shown` holds the cases that
 * show it, `notShown` the reason why the emulator cannot show it, or a part of it.
 */
export type Sentence = { readonly says: string } & (
  | { readonly shown: readonly Case[]; readonly notShown?: string }
  | { readonly shown?: never; readonly notShown: string }
)

/** The sentences of one section, in the order of the document. */
export interface Section {
  readonly section: string
  readonly title: string
  readonly sentences: readonly Sentence[]
}
