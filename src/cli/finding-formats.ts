/** The formats of findings. */
export const findingFormats = ['text', 'json', 'sarif', 'github', 'gitlab', 'junit', 'checkstyle'] as const

export type FindingFormat = (typeof findingFormats)[number]
