// What the verifications have in common: a line for each thing that is not as it should be, and a last line with their
// number. A verification that stalls before that line has not passed.
const mostShown = 10
const started = performance.now()
let violations = 0
process.exitCode = 1

/** Writes one line. */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** One thing that is not as it should be. */
export function violation(what) {
  violations += 1
  say(`VIOLATION  ${what}`)
}

/** The same for all that was found wrong with something; no more of it is shown than anybody reads. */
export function complain(what, found) {
  for (const one of found.slice(0, mostShown)) violation(`${what}: ${one}`)
  const more = found.length - mostShown
  if (more <= 0) return
  violations += more
  say(`VIOLATION  ${what}: and ${more} more`)
}

/** Says what was not looked at here; where that is all there is, nothing failed. */
export function skip(why) {
  say(`SKIPPED    ${why}`)
}

/** The last line, and the exit code. */
export function conclude() {
  say(`${violations} violations, ${Math.round((performance.now() - started) / 1000)} s`)
  process.exitCode = violations === 0 ? 0 : 1
}
