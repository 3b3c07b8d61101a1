/** The name of a case, and a function that rejects if the sentence does not hold. */
export type Case = readonly [what: string, holds: () => Promise<void>]

/** A sentence, table row or list item of the document, reworded: the cases that show it, or the reason why none can. */
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
