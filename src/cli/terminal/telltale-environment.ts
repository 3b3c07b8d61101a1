import type { Host } from '../host.js'

/** What Node is told by a variable that may carry secrets into outputs and files, and how to tell. */
const telltales: readonly {
  readonly variable: string
  readonly value: RegExp
  readonly effect: string
}[] = [
  { variable: 'SSLKEYLOGFILE', value: /./, effect: 'keys of TLS connections may be written to a file' },
  { variable: 'NODE_DEBUG', value: /./, effect: 'Node prints what it sends, tokens in headers too' },
  {
    variable: 'NODE_OPTIONS',
    value:
      /--inspect|--debug|--(?:experimental-)?report-|--heapsnapshot|--heap-prof|--tls-keylog|--trace-tls/,
    effect: 'a debugger or a report of Node can see the memory and the environment of this run',
  },
]

const told = new WeakSet<Host>()

/** Warns of an environment that may give secrets away; once a run, for it is the same for every site. */
export function warnOfTelltales(host: Host): void {
  if (told.has(host)) return
  told.add(host)
  for (const { variable, value, effect } of telltales)
    if (value.test(host.environment[variable] ?? ''))
      host.stderr.write(
        `warning: ${variable} is set as it is, and so ${effect}; unset it where secrets are real\n`,
      )
}
