/** The certificate that a server showed. Its texts are untrusted. */
export interface ShownCertificate {
  /** The host names and addresses that it is valid for. */
  readonly names: readonly string[]
  /** The authority that issued the last certificate of its chain. */
  readonly issuer: string
  /** The first certificate of its chain that is not valid at this time. */
  readonly outdated?: OutdatedCertificate
}

/** A certificate that is not valid at this time, with its dates in ISO 8601. */
interface OutdatedCertificate {
  readonly name: string
  readonly from: string
  readonly until: string
  /** It is the root of the chain, which the server cannot replace alone. */
  readonly isRoot?: true
}
