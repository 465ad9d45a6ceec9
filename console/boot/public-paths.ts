/** Whether a path is that of a page for those who are not signed in. */
export const isPublicPath = (path: string): boolean => /^\/console\/(sign-in|reset|invitation|setup)$/.test(path)
