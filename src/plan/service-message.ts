/** The message of a service that rejects a request. Untrusted. Service §2.2. */
export interface ServiceMessage {
  readonly message: string
  /** `error.details`, one text an entry; absent where there are none. */
  readonly details?: readonly string[]
}

/** Joins the message and its details without repetition, such as `no license: it expired`; empty for none. */
export function joinMessages({
  message = '',
  details = [],
}: Partial<ServiceMessage> & { readonly kind: string }): string {
  return [message, ...details]
    .map(text => text.trim())
    .filter((text, at, all) => text !== '' && all.indexOf(text) === at)
    .reduce(
      (before, text) => (before === '' ? text : `${before}${/[.!?:;]$/.test(before) ? '' : ':'} ${text}`),
      '',
    )
}
