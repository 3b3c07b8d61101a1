/** The limits of a manifest, far above any real one. */
export const yamlLimits = {
  bytes: 256 * 1024,
  /** The parser uses about a kilobyte for each token. */
  tokens: 100_000,
  depth: 32,
  nodes: 10_000,
  /** Every value has its own path, so many values below a long key would use gigabytes. */
  pathCharacters: 4_000_000,
  aliases: 100,
} as const

/** The most files that may extend each other: more than anyone needs, and few enough to list in a message. */
export const maxLayers = 8
