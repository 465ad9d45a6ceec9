/** In the place of a secret that is kept. */
export const KEPT = '***'

interface WithSecrets {
  environment: { secrets?: Readonly<Record<string, string>> }
}

/** What a script may do, without its secrets: drafts stay in the browser. */
export function withoutSecrets<T extends WithSecrets>(scripting: T): T {
  const { environment } = scripting
  const secrets = Object.fromEntries(Object.keys(environment.secrets ?? {}).map((name) => [name, KEPT]))
  return { ...scripting, environment: { ...environment, secrets } }
}
