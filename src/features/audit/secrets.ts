import { appendJsonPointer } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { AUDIT_MASK } from './masking.ts'

/** Members that hold secrets: written and never shown, or shown once. */
const SECRET_NAME =
  /^(?:secrets?|password|pass(?:phrase)?|private_?key|credentials?|client_?token|token|api_?key|authorization|proxy-authorization|cookie|x-(?:api-)?key|webhook)$/i
/** Members that hold one where nothing is shown of them. */
const WRITE_ONLY_NAME = /^(?:key|value)$/

/** Every text below is masked. */
function maskAllTexts(value: unknown): unknown {
  if (typeof value === 'string') return AUDIT_MASK
  if (Array.isArray(value)) return value.map(maskAllTexts)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskAllTexts(member)]))
}

/** A representation without its secrets; its shape stays. */
export function maskAuditSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskAuditSecrets)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_NAME.test(name) ? maskAllTexts(member) : maskAuditSecrets(member),
    ]),
  )
}

/** Returns true if a sent member is a secret: its name is one of a secret, and its shown value reveals nothing. */
function isSecretMember(name: string, sentValue: unknown, shownValue: unknown): boolean {
  if (sentValue === null || sentValue === undefined || sentValue === '' || sentValue === AUDIT_MASK) return false
  if (shownValue === AUDIT_MASK) return true
  return shownValue == null && (SECRET_NAME.test(name) || WRITE_ONLY_NAME.test(name))
}

/** Pointers to the secrets that a body brought: what is shown does not tell that they were written. */
export function findWrittenSecrets(sentValue: unknown, shownValue: unknown, at = ''): string[] {
  if (Array.isArray(sentValue)) {
    return sentValue.flatMap((item, n) =>
      findWrittenSecrets(item, Array.isArray(shownValue) ? shownValue[n] : undefined, appendJsonPointer(at, n)),
    )
  }
  if (!isJsonObject(sentValue) || !isJsonObject(shownValue)) return []
  return Object.entries(sentValue).flatMap(([name, member]) =>
    isSecretMember(name, member, shownValue[name])
      ? [appendJsonPointer(at, name)]
      : findWrittenSecrets(member, shownValue[name], appendJsonPointer(at, name)),
  )
}
