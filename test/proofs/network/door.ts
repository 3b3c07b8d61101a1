import { type HttpDouble, httpDouble } from '../../support/http-double.js'

/** Accepts the connections to a site, and forwards each. `portOf` selects its target; connections are numbered from 0. */
export function aDoor(portOf: (connection: number) => number): Promise<HttpDouble> {
  return httpDouble([{ on: 'connection', reply: ({ connection }) => ({ pipe: portOf(connection) }) }])
}
