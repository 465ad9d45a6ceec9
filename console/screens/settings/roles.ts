import type { ApiUser } from '../../api/shapes.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { settingsScreenTexts } from './texts.ts'

export type UserRole = ApiUser['memberships'][number]['role']

const USER_ROLES: readonly UserRole[] = ['viewer', 'author', 'sender', 'admin']

/** The role that a choice names. */
export const parseUserRole = (value: string | null): UserRole => USER_ROLES.find((role) => role === value) ?? 'viewer'

/** Roles, least first, as choices. */
export function useRoleChoices(): { value: UserRole; label: string }[] {
  const t = useTranslator(settingsScreenTexts)
  return USER_ROLES.map((value) => ({ value, label: t(value) }))
}
