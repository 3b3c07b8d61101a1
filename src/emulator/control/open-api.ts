import type { ServiceVersion } from '../../contract/version.js'

/** The OpenAPI document of a version of the service; `undefined` where there is none to show. */
export const openApi = (_version: ServiceVersion): object | undefined => undefined
