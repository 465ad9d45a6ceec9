import { isJsonObject } from '../../lib/objects.ts'

const SECRET_PLACEHOLDER = /\[\[secret:([^\]]{1,255})\]\]/g

/** A placeholder names no secret of the object. */
export class UnknownSecretError extends Error {}

/** Returns true if a text names a secret. */
export function hasSecretPlaceholder(text: string): boolean {
  return text.search(SECRET_PLACEHOLDER) >= 0
}

/** The text with secrets in the places of `[[secret:name]]`. Throws UnknownSecretError. */
export function fillSecretPlaceholders(text: string, secrets: ReadonlyMap<string, string>): string {
  return text.replace(SECRET_PLACEHOLDER, (_, name: string) => {
    const secret = secrets.get(name)
    if (secret === undefined) throw new UnknownSecretError(`There is no secret "${name}".`)
    return secret
  })
}

/** The same for the texts in a JSON value. */
export function fillSecretsInValue(value: unknown, secrets: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return fillSecretPlaceholders(value, secrets)
  if (Array.isArray(value)) return value.map((item) => fillSecretsInValue(item, secrets))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillSecretsInValue(item, secrets)]))
}
