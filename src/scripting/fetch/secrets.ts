import { isObject } from '../../lib/objects.ts'

const PLACEHOLDER = /\[\[secret:([^\]]{1,255})\]\]/g

/** A placeholder names no secret of the object. */
export class UnknownSecret extends Error {}

/** Whether a text names a secret. */
export function namesSecret(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0
}

/** The text with secrets in the places of `[[secret:name]]`. Throws UnknownSecret. */
export function fillSecrets(text: string, secrets: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (_, name: string) => {
    const secret = secrets.get(name)
    if (secret === undefined) throw new UnknownSecret(`There is no secret "${name}".`)
    return secret
  })
}

/** The same for the texts in a JSON value. */
export function fillValue(value: unknown, secrets: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return fillSecrets(value, secrets)
  if (Array.isArray(value)) return value.map((item) => fillValue(item, secrets))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, secrets)]))
}
