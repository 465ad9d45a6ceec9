/** True if a path belongs to a page for users who are not signed in. */
export const isPublicPath = (path: string): boolean => /^\/console\/(sign-in|reset|invitation|setup)$/.test(path)
