import type { GitEnd } from './git-program.js'

/** What git says, and what it means for who keeps state by it. The first that fits is told. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/unknown option|unknown switch/, 'git 2.29 or newer is needed'],
  [
    /dubious ownership/,
    'the repository belongs to another user: git config --global --add safe.directory FOLDER allows it',
  ],
  [
    /not a git repository \(or any/,
    'the manifest lies in no git repository: keep it in one, or the state in --state file:DIR',
  ],
  [
    /deny updating a hidden ref|funny refname|prohibited|protected ref|hook declined|GH0\d\d|cannot update ref|non-note/i,
    'the remote takes no refs below refs/landform/: allow them there, or name another remote',
  ],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied \(|Permission to .* denied|access denied|Access denied|HTTP (?:401|403)|error: (?:401|403)|Host key verification failed|not allowed to (?:push|upload)|insufficient/i,
    'the remote refuses: it needs credentials that may read and write (in GitHub Actions, contents: write)',
  ],
  [
    /No space left|Read-only file system|insufficient permission for adding an object|unable to create temporary|unable to write/i,
    'the repository cannot be written to',
  ],
  [
    /Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|timed out|reset)|Operation timed out|unable to access|hung up unexpectedly|early EOF|unexpected disconnect|No route to host|Network is unreachable/i,
    'the remote cannot be reached',
  ],
  [
    /does not appear to be a git repository|[Rr]epository .*not found|No such remote|does not exist/,
    'there is no such remote: git remote -v shows those that there are',
  ],
]

/** Why a run of git failed, in words; what git itself said comes masked and short, and is still untrusted. */
export function gitReason({ code, stderr }: GitEnd): string {
  if (code === 'not-found') return 'the program git is not there: install it, or use --state file:DIR'
  if (code === 'too-slow') return 'git did not end in time: is the remote reachable?'
  const [, meaning = `git ended with ${code}`] = meanings.find(([said]) => said.test(stderr)) ?? []
  const said = saying(stderr)
  return said === '' ? meaning : `${meaning} (git: ${said})`
}

/** An address without what may be a credential in it. */
export function maskedAddress(text: string): string {
  return text.replaceAll(/\/\/[^\s/@]*@/g, '//***@')
}

/** The line that tells most. */
function saying(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map(line => line.trim())
  const telling = lines.find(line => /^(?:fatal|error|ssh|remote: (?:error|fatal)|.*rejected)/i.test(line))
  const line = maskedAddress(telling ?? lines.find(one => one !== '') ?? '')
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
