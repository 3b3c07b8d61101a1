/** The group and version of the manifest's own format. */
export const apiVersion = 'landform.dev/v1'
export const kind = 'SiteDeployment'
/** The kind of a policy file: rules that a team keeps next to its manifests. */
export const policyKind = 'SitePolicy'
/** The kind of a test file: expected results of a manifest, in a file next to it. */
export const testKind = 'SiteTest'
/** The pattern of allowed environment variables, so that a pull request cannot read those of other tools. */
export const variablePattern = '^LANDFORM_[A-Z0-9_]{1,120}$'
