// Plans a site, says what would happen, and applies the plan: what `landform apply` does, in a program of your own.
//   node examples/library/apply.mjs site.yaml [ADDRESS]
import { applySite, describeOutcome, describeProblem, planSite } from 'landform'

// Whatever is not known to be well is not well.
process.exitCode = 1
const [file = 'site.yaml', url] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
const { signal } = stop

const planned = await planSite({ file, ...(url && { url }), environment: process.env, signal })
if (planned.ok) {
  const { plan, warnings } = planned.value
  for (const { message } of warnings) console.error(`warning: ${message}`)
  for (const { operation, change, reason } of plan.actions) console.log(`${operation}: ${change} (${reason})`)
  for await (const event of applySite(planned.value, { signal, timeoutMs: 60 * 60_000 })) {
    if (event.type === 'stages-changed')
      for (const { name, state } of event.changed) console.log(`${name}: ${state}`)
    if (event.type === 'stream-finished') {
      console.log(describeOutcome(event.outcome))
      if (event.outcome.kind === 'done') process.exitCode = 0
    }
  }
} else {
  console.error(describeProblem(planned.error))
  const { diagnostics = [] } = planned.error
  for (const { place, message } of diagnostics)
    console.error(`${place?.file}:${place?.start.line}: ${message}`)
}
