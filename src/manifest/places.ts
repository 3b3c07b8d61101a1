const policy = '/spec/upgrade/podPlacementPolicy'

/** The places that several rules check, as patterns for `select`. */
export const places = {
  volumes: '/spec/volumes/*',
  volumeLabels: '/spec/volumes/*/labels',
  manifestLabels: '/metadata/labels',
  nodeAffinity: `${policy}/nodeAffinity`,
  terms: `${policy}/nodeAffinity/*/nodeSelectorTerms/*`,
  expressions: `${policy}/nodeAffinity/*/nodeSelectorTerms/*/matchExpressions/*`,
  tolerationList: `${policy}/tolerations`,
  tolerations: `${policy}/tolerations/*`,
} as const
