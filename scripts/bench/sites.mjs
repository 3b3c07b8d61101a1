// What our client costs beside raw undici, and what waiting for a thousand sites takes. The server is a process of its
// own with canned answers; every site has an address of its own on loopback.
import { found, said, scriptHere } from './surroundings.mjs'
import { readJson, serving } from './turns.mjs'

export async function measureSites({ isQuick }) {
  const kinds = ['raw undici', 'single polls', 'raw undici, closing', 'updates']
  const sites = isQuick ? 300 : 1_000
  await serving(scriptHere('canned-server.mjs'), port => {
    for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
      for (const kind of kinds) {
        const { microseconds, peakKilobytes } = readJson(
          scriptHere('request-load.mjs', kind, port, `${sites}`, '5'),
        )
        found(`${kind}, CPU µs`, microseconds)
        found(`${kind}, peak MB`, peakKilobytes / 1024)
      }
      const few = readJson(scriptHere('request-load.mjs', 'single polls', port, `${sites / 10}`, '20'))
      found('single polls, a tenth of the sites, CPU µs', few.microseconds)
      const many = readJson(scriptHere('request-load.mjs', 'single polls', port, `${sites}`, '20'))
      found('single polls, all of the sites, CPU µs', many.microseconds)
    }
    said(`measured: ${kinds.join('; ')}`)
    for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
      const { kilobytesBefore, peakKilobytes, microseconds } = readJson(
        scriptHere('polling.mjs', port, '1000'),
      )
      found('1000 sites polled, resident MB', peakKilobytes / 1024)
      found('1000 sites polled, MB before', kilobytesBefore / 1024)
      found('1000 sites polled, CPU µs a poll', microseconds)
    }
    said('measured: 1000 sites polled')
  })
}
