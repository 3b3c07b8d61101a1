// Loaded before the program, with `--import`: each request that it makes says which process of the stage made it.
import { subscribe } from 'node:diagnostics_channel'

/** The header that it says so in. */
export const nameHeader = 'x-stage-name'

const name = process.env['STAGE_NAME']

if (name !== undefined)
  subscribe('undici:request:create', message => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } }
    request.addHeader(nameHeader, name)
  })
