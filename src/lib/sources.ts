/** Kinds of what is sent. */
export const sourceKinds = ['action', 'rcs', 'notification'] as const

export type SourceKind = (typeof sourceKinds)[number]
