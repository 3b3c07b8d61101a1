import { readFileSync } from 'node:fs'

/** The calls that open a file, as strace names them. */
export const openingCalls = 'open,openat,openat2,creat,open_by_handle_at'

/** The files that a traced program opened, where they really lie: what `strace -f -y` says of the number that came back. */
export function openedFiles(trace: string): readonly string[] {
  const opened = /(?:\bopen\w*|\bcreat)\b.* = \d+<([^>]*)>(?:\(deleted\))?$/
  const found = readFileSync(trace, 'latin1')
    .split('\n')
    .flatMap(line => opened.exec(line)?.[1] ?? [])
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
