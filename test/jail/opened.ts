import { readFileSync } from 'node:fs'

/** The calls that open a file, and those that read one, as strace names them. */
export const openingCalls = 'open,openat,openat2,creat,open_by_handle_at'
export const readingCalls = 'read,readv,pread64,preadv,mmap'

/** The files that a traced program opened, where they really lie: what `strace -f -y` says of the number that came back. */
export function openedFiles(trace: string): readonly string[] {
  const opened = /(?:\bopen\w*|\bcreat)\b.* = \d+<([^>]*)>(?:\(deleted\))?$/
  return filesOf(trace, opened)
}

/** The files that it read from. */
export function readFiles(trace: string): readonly string[] {
  return filesOf(trace, /\b(?:read|readv|pread64|preadv)\(\d+<([^>]*)>/)
}

function filesOf(trace: string, pattern: RegExp): readonly string[] {
  const found = readFileSync(trace, 'latin1')
    .split('\n')
    .flatMap(line => pattern.exec(line)?.[1] ?? [])
    .map(path => unescaped(path).replace(/^\/proc\/\d+\//, '/proc/self/'))
  return [...new Set(found)]
}

/** strace writes bytes that are no letters in octal. */
function unescaped(path: string): string {
  const bytes = path.replaceAll(/\\([0-7]{1,3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
