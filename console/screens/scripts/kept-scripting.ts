/** In the place of a secret that is kept. */
export const RETAINED_SECRET = '***'

interface WithSecrets {
  environment: { secrets?: Readonly<Record<string, string>> }
}

/** What a script may do, without its secrets: drafts stay in the browser. */
export function omitScriptSecrets<T extends WithSecrets>(scripting: T): T {
  const { environment } = scripting
  const secrets = Object.fromEntries(Object.keys(environment.secrets ?? {}).map((name) => [name, RETAINED_SECRET]))
  return { ...scripting, environment: { ...environment, secrets } }
}
