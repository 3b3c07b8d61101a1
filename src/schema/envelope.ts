/** The group and version of the manifest's own format. */
export const apiVersion = 'landform.dev/v1'
export const kind = 'SiteDeployment'
/** Rules that a team keeps beside its manifests. */
export const policyKind = 'SitePolicy'
/** What is expected of a manifest, in a file beside it. */
export const testKind = 'SiteTest'
