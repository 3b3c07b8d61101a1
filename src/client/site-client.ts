import type { Organization } from '../manifest/manifest.js'
import type { Observation, SiteSettings } from '../plan/observation.js'
import type { Secret, SecretsToSend } from '../secrets/secret.js'
import type { Reply, ServiceFailure } from './failure.js'
import type { UpdateRequest } from './wire/form-requests.js'

/** The limits of a call. */
export interface CallOptions {
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** The operations that only read a site. */
export interface SiteReader {
  /** Reads the root resource without a token, and once more with it if the site asks for one. Service §2.3. */
  observe(signal: AbortSignal): Promise<Reply<Observation>>
  /** Reads the settings that a ready site reports, with the token if there is one (public sources). */
  settings(signal: AbortSignal): Promise<SiteSettings>
}

/** The response of the service about a license. Its texts are untrusted. Public sources. */
export type LicenseAnswer =
  | { readonly kind: 'valid'; readonly userTypes: readonly string[] }
  /** `blocked` if the response comes from something in front of the service. */
  | { readonly kind: 'refused' | 'blocked'; readonly failure: ServiceFailure }
  /** The license remains unchecked: the site may lack the resource. */
  | { readonly kind: 'silent' }

/** The operations of an apply on a site. No call is ever repeated here. */
export interface SiteWriter extends SiteReader {
  /**
   * Has the service check the license of an organization, within `deadlineMs`. A client without this method checks nothing.
   * Public sources.
   */
  validateLicense?(secrets: SecretsToSend, options: CallOptions): Promise<LicenseAnswer>
  /**
   * Prepares the request, and opens a connection on which it only reads the root resource, as `observe` does. The caller
   * sends or discards the call.
   */
  openConfigure(
    organization: Organization,
    secrets: SecretsToSend,
    signal: AbortSignal,
  ): Promise<Reply<ConfigureCall>>
  /** Replaces the upgrade configuration. Service §4.4. */
  update(request: UpdateRequest, token: Secret | undefined, signal: AbortSignal): Promise<Reply<void>>
}

/** A configuration that is ready to send. The caller writes its intent before it calls `send`. */
export interface ConfigureCall {
  /** The site at the other end of the connection. */
  readonly observed: Observation
  /** The time limit of the request, in milliseconds. */
  readonly deadlineMs: number
  /**
   * Submits the configuration, once; the response shows its start. Returns `not-sent` if the site has closed the connection
   * of `observed`, unless `on` requires a new one. Service §4.3.
   */
  send(signal: AbortSignal, on?: 'new-connection'): Promise<Reply<Observation>>
  /** Wipes the request and closes the connection. After `send` there is nothing left to do. */
  discard(): void
}
