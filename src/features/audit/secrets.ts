import { appendJsonPointer } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { AUDIT_MASK } from './masking.ts'

/** Members that hold secrets: written and never shown, or shown once. */
const SECRETS =
  /^(?:secrets?|password|pass(?:phrase)?|private_?key|credentials?|client_?token|token|api_?key|authorization|proxy-authorization|cookie|x-(?:api-)?key|webhook)$/i
/** Members that hold one where nothing is shown of them. */
const WRITTEN = /^(?:key|value)$/

/** Every text below is masked. */
function maskTextsOf(value: unknown): unknown {
  if (typeof value === 'string') return AUDIT_MASK
  if (Array.isArray(value)) return value.map(maskTextsOf)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskTextsOf(member)]))
}

/** A representation without its secrets; its shape stays. */
export function maskAuditSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskAuditSecrets)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRETS.test(name) ? maskTextsOf(member) : maskAuditSecrets(member),
    ]),
  )
}

/** Whether a member that was sent is a secret: it is named like one, and what is shown of it says nothing. */
function isSecret(name: string, sent: unknown, shown: unknown): boolean {
  if (sent === null || sent === undefined || sent === '' || sent === AUDIT_MASK) return false
  if (shown === AUDIT_MASK) return true
  return shown == null && (SECRETS.test(name) || WRITTEN.test(name))
}

/** Pointers to the secrets that a body brought: what is shown does not tell that they were written. */
export function findWrittenSecrets(sent: unknown, shown: unknown, at = ''): string[] {
  if (Array.isArray(sent)) {
    return sent.flatMap((item, n) =>
      findWrittenSecrets(item, Array.isArray(shown) ? shown[n] : undefined, appendJsonPointer(at, n)),
    )
  }
  if (!isJsonObject(sent) || !isJsonObject(shown)) return []
  return Object.entries(sent).flatMap(([name, member]) =>
    isSecret(name, member, shown[name])
      ? [appendJsonPointer(at, name)]
      : findWrittenSecrets(member, shown[name], appendJsonPointer(at, name)),
  )
}
