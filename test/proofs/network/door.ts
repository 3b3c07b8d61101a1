import { type HttpDouble, httpDouble } from '../../support/http-double.js'

/** Takes connections instead of a site; `portOf` selects the target of each connection, numbered from 0. */
export function aDoor(portOf: (connection: number) => number): Promise<HttpDouble> {
  return httpDouble([{ on: 'connection', reply: ({ connection }) => ({ pipe: portOf(connection) }) }])
}
