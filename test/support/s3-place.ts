import { openS3 } from '../../src/library/open-s3.js'
import { parseS3Location } from '../../src/manifest/s3-location.js'
import type { StateBackend } from '../../src/state/series.js'
import type { S3Server } from './s3-server.js'

/** Returns the state location of a bucket on a test server. */
export function s3Location({ url, bucket }: Pick<S3Server, 'url' | 'bucket'>): string {
  return `s3:${bucket}/sites/production?endpoint=${url}`
}

/** Opens the state on a test server, as a run does. */
export function s3Place(
  server: Pick<S3Server, 'url' | 'bucket' | 'environment'>,
  environment: Readonly<Record<string, string>> = server.environment,
): StateBackend {
  const location = parseS3Location(s3Location(server).slice('s3:'.length))
  if (!location.ok) throw new Error(location.error)
  return openS3(location.value, environment)
}
