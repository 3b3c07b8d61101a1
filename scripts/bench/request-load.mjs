// Asks many sites in one process, each with a host of its own, 64 at one time. Prints JSON: microseconds of the processor
// for each request, and peak memory. `node request-load.mjs WHO PORT SITES EACH`.
import { Agent, request } from 'undici'
import { siteReader } from '../../dist/src/client/site-reader.js'
import { siteWriter } from '../../dist/src/client/site-writer.js'

const [who, port, sites, each] = process.argv.slice(2)
const { signal } = new AbortController()
const raw = reset => {
  const dispatcher = new Agent({ connections: 1 })
  return url => async () => {
    const { body } = await request(`${url}?f=json`, { dispatcher, reset })
    if ((await body.json()).status === undefined) throw new Error('no root resource')
  }
}
const checked = reply => {
  if (!reply.ok) throw new Error(JSON.stringify(reply.error))
}
const upgradeConfig = { podPlacementPolicy: { nodeAffinity: {}, tolerations: [] } }
const kinds = {
  'raw undici': raw(false),
  'raw undici, closing': raw(true),
  'single polls': url => async () => checked(await siteReader(url).observe(signal)),
  updates: url => async () => checked(await siteWriter(url).update({ upgradeConfig }, undefined, signal)),
}

const urls = Array.from({ length: Number(sites) }, (_, at) => {
  const host = `127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`
  return `http://${host}:${port}/arcgis/admin`
}).values()
const work = async () => {
  for (const url of urls) {
    const ask = kinds[who](url)
    for (let left = Number(each); left > 0; left -= 1) await ask()
  }
}
const before = process.resourceUsage()
await Promise.all(Array.from({ length: 64 }, work))
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const microseconds = userCPUTime - before.userCPUTime + systemCPUTime - before.systemCPUTime
process.stdout.write(JSON.stringify({ microseconds: microseconds / sites / each, peakKilobytes: maxRSS }))
process.exit(0)
