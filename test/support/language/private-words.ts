/** A word that only this project used, and the standard one that replaces it. */
export interface PrivateWord {
  readonly pattern: RegExp
  readonly standard: string
}

/**
 * The words that names, messages and pages no longer use. Plain words are listed only in the sense that the project gave
 * them: `looks like` and `of course` are English.
 */
export const privateWords: readonly PrivateWord[] = [
  word('mend(?:s|ed|ing|able)?', 'fix'),
  word('blot(?:s|ted|ting)?', 'redact'),
  word(
    'look(?:s|ed|ing)? (?:after|at|in|again|on|around|from)|(?:a|the|each|every|one|first|last|next|this|that|of) looks?|looks (?!like|up)\\w+|looked(?! up)',
    'poll, read, watch',
  ),
  word('tell(?:s|ing)?(?! (?:\\w+ ){0,3}apart)|told', 'report, say, print'),
  word('lend(?:s|ing|er)?|lent|loan(?:s|ed)?', 'provide (a token)'),
  word('desk|atDesk', 'command context'),
  word('happening', 'test result'),
  word('ground', 'test context'),
  word('patience|patient', 'wait options'),
  word('pace', 'back-off'),
  word('oddit(?:y|ies)', 'anomaly'),
  word('obstacles?', 'blocker'),
  word('setbacks?', 'failure'),
  word('misreadings?|misread', 'diagnostic, decode failure'),
  word('troubles?', 'failure, unavailable'),
  word('complain(?:t|ts|s|ed|ing)?', 'diagnostic'),
  word('refusals?', 'rejection'),
  word('grav(?:e|er|est|ity)', 'worst, severity'),
  word('diar(?:y|ies)', 'run log'),
  word('tellers?', 'reporter'),
  word('(?<!of )courses?', 'workflow state'),
  word('followers?', 'watcher'),
  word('carriers?', 'parameter path'),
  word('verdicts?', 'field status, wait result, test result'),
  word('the promise(?! \\w+s\\b)|promises? to (?:send|configure)', 'submission intent'),
  word('seiz(?:e|es|ed|ing)', 'acquire'),
  word('bur(?:y|ies|ied|ying)', 'remove'),
  word('beat(?:s|ing)?', 'heartbeat'),
  word('standing', 'state summary'),
  word('possession', 'lock owner'),
  word('telltale', 'insecure-environment check'),
  word('unspoken', 'message-free'),
  word('glances?', 'fast path'),
  word('strange', 'unknown'),
  word('truth', 'observation'),
  word('(?:came|come|comes|coming) to nothing', 'did not reach the service'),
  word('nobody (?:can|could|knows|knew|is)', 'unknown, cannot'),
  word('on record', 'recorded'),
  word('unfit', 'invalid'),
  word(
    '(?:stands?|stood) (?:in|at|under|on|by|for|there|here|beside|where|alone|below|above|with|as)',
    'is in, belongs under',
  ),
  word('settled', 'immutable, decided'),
  word('no way on|on the way|way out', 'cannot be resumed'),
  word('heard (?:of|from)|unheard', 'last seen'),
  word('anew', 'again'),
  word('befalls?|befell', 'happens to'),
  word('goes on by itself|how to go on|can go on|to go on', 'continue, next step'),
  word('lets? go', 'release'),
  word('gathered|gathers?|gathering', 'collect'),
]

function word(pattern: string, standard: string): PrivateWord {
  return { pattern: new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, 'gi'), standard }
}
