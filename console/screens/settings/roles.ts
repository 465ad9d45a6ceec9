import type { Person } from '../../api/shapes.ts'
import { useText } from '../../text/catalogue.ts'
import { settingsTexts } from './texts.ts'

export type Role = Person['memberships'][number]['role']

const ROLES: readonly Role[] = ['viewer', 'author', 'sender', 'admin']

/** The role that a choice names. */
export const roleOf = (value: string | null): Role => ROLES.find((role) => role === value) ?? 'viewer'

/** Roles, least first, as choices. */
export function useRoles(): { value: Role; label: string }[] {
  const t = useText(settingsTexts)
  return ROLES.map((value) => ({ value, label: t(value) }))
}
