// Uploads a license file as `apply` does: opened below its folder, one `configure` with it. Prints JSON: milliseconds from
// the first byte read to the answer, and how much memory that took, in kilobytes. `node upload-client.mjs PORT FILE`,
// in the folder of the project, with the secrets of the example in the environment.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { siteWriter } from '../../dist/src/client/site-writer.js'
import { loadManifest } from '../../dist/src/manifest/load-manifest.js'
import { listConfigureReferences } from '../../dist/src/secrets/needed-references.js'
import { resolveToSend, wipeAll } from '../../dist/src/secrets/resolve.js'
import { secretSource } from '../../dist/src/secrets/secret-source.js'

const [port, file] = process.argv.slice(2)
const { signal } = new AbortController()
const writer = siteWriter(`http://127.0.0.1:${port}/arcgis/admin`)
const source = secretSource(process.env, dirname(file))
const name = 'examples/quickstart.yaml'
const example = loadManifest({ name, bytes: readFileSync(name) }).value.organization

async function uploaded(path) {
  const organization = { ...example, license: { file: path } }
  const resolved = await resolveToSend(listConfigureReferences(organization), source)
  if (!resolved.ok) throw new Error(resolved.error[0].message)
  const call = await writer.openConfigure(organization, resolved.value.secrets, signal)
  if (!call.ok) throw new Error(call.error.kind)
  const reply = await call.value.send(signal)
  if (!reply.ok) throw new Error(reply.error.kind)
  wipeAll(resolved.value.secrets)
}

// The first request loads what every request needs.
writeFileSync(join(dirname(file), 'small.json'), '{}')
await uploaded('small.json')
const before = process.memoryUsage.rss() / 1024
const started = performance.now()
await uploaded(basename(file))
const milliseconds = performance.now() - started
process.stdout.write(
  JSON.stringify({ milliseconds, extraKilobytes: process.resourceUsage().maxRSS - before }),
)
