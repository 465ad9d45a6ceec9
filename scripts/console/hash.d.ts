export const BUILDS: string
export function hashOfConsole(root: string): string
export function isCurrent(root: string, hash: string): boolean
