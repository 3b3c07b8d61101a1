// Preloaded with `--import`: adds the name of the process to each request.
import { subscribe } from 'node:diagnostics_channel'

export const nameHeader = 'x-stage-name'

const name = process.env['STAGE_NAME']

if (name !== undefined)
  subscribe('undici:request:create', message => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } }
    request.addHeader(nameHeader, name)
  })
