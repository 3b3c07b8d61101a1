import type { GitEnd } from './git-program.js'
import type { GitCause, GitReason } from './state-failure.js'

/** Patterns in the output of git with their causes. The first match counts. */
const causes: readonly (readonly [RegExp, GitCause])[] = [
  [/unknown option|unknown switch/, 'git-too-old'],
  [/dubious ownership/, 'other-owner'],
  [/not a git repository \(or any/, 'no-repository'],
  [
    /deny updating a hidden ref|funny refname|prohibited|protected ref|hook declined|GH0\d\d|cannot update ref|non-note/i,
    'ref-rejected',
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied \(|Permission to .* denied|access denied|Access denied|HTTP (?:401|403)|error: (?:401|403)|Host key verification failed|not allowed to (?:push|upload)|insufficient/i,
    'access-denied',
  ],
  [
    /No space left|Read-only file system|insufficient permission for adding an object|unable to create temporary|unable to write/i,
    'not-writable',
  ],
  [
    /Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|timed out|reset)|Operation timed out|unable to access|hung up unexpectedly|early EOF|unexpected disconnect|No route to host|Network is unreachable/i,
    'unreachable',
  ],
  [
    /does not appear to be a git repository|[Rr]epository .*not found|No such remote|does not exist/,
    'no-remote',
  ],
]

/** Finds the cause of a failed run of git, with a line of its output. */
export function parseGitFailure({ code, stderr }: GitEnd): GitReason {
  if (code === 'not-found') return { kind: 'git', cause: 'not-installed' }
  if (code === 'too-slow') return { kind: 'git', cause: 'timeout' }
  const [, cause = code] = causes.find(([output]) => output.test(stderr)) ?? []
  const said = selectLine(stderr)
  return { kind: 'git', cause, ...(said !== '' && { said }) }
}

/** Removes from an address what may be a credential. */
export function redactAddress(text: string): string {
  return text.replaceAll(/\/\/[^\s/@]*@/g, '//***@')
}

/** Selects the most useful line. */
function selectLine(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map(line => line.trim())
  const telling = lines.find(line => /^(?:fatal|error|ssh|remote: (?:error|fatal)|.*rejected)/i.test(line))
  const line = redactAddress(telling ?? lines.find(one => one !== '') ?? '')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
