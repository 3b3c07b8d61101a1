// Preloaded: an hour takes a minute, and the clock is twenty minutes ahead, or as far as the state server tolerates.
const times = 60
const aheadMs = Number(process.env['TEST_CLOCK_AHEAD_MS'] ?? 20 * 60_000)

const now = Date.now
Date.now = () => now() + aheadMs
const elapsed = performance.now.bind(performance)
performance.now = () => elapsed() * times
const later = globalThis.setTimeout
globalThis.setTimeout = ((work: () => void, ms = 0) => later(work, ms / times)) as typeof later
