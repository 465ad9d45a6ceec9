/** In the place of a secret that is kept. */
export const RETAINED_SECRET = '***'

interface WithSecrets {
  environment: { secrets?: Readonly<Record<string, string>> }
}

/** Script permissions without secrets, since unsaved changes are stored in the browser. */
export function omitScriptSecrets<T extends WithSecrets>(scripting: T): T {
  const { environment } = scripting
  const blankSecrets = Object.fromEntries(Object.keys(environment.secrets ?? {}).map((name) => [name, RETAINED_SECRET]))
  return { ...scripting, environment: { ...environment, secrets: blankSecrets } }
}
