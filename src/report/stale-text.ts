import { display } from './display.js'

/** Describes a stale saved plan: the facts that changed since it was made, some with their old and new values. */
export function describeStale(moved: readonly string[]): string {
  const facts = moved.map(fact => (/[:,] /.test(fact) ? fact : `${fact} changed since it was made`))
  return `saved plan is stale: ${facts.map(fact => display(fact)).join('; ')}; nothing was sent`
}
