import { ActionIcon, Menu, Select } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountId, apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { componentTexts } from '../../components/texts.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { parseUserRole, useRoleChoices } from './roles.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

type AccountMember = ApiAnswer<'listPeople'>[number]
type MemberChange = ApiRequestBody<'updatePerson'>

/** Changes a person, says so, and offers to take it back. */
function useMemberChange({ id, name }: AccountMember) {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const saveChange = async (body: MemberChange, back?: MemberChange): Promise<void> => {
    setError(null)
    try {
      await apiClient.updatePerson({ path: { id }, body })
      showToast(t('personChanged', { name }), back && (() => void saveChange(back)))
      await queryClient.invalidateQueries({ queryKey: ['people'] })
    } catch (caughtError) {
      setError(caughtError)
    }
  }
  return { error, put: saveChange }
}

function RemoveDialog({ person: { id, name, email }, onClose }: { person: AccountMember; onClose(): void }) {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={t('removeTitle', { name: name || email })}
      action={t('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await apiClient.removePerson({ path: { id } })
        await queryClient.invalidateQueries({ queryKey: ['people'] })
      }}
    >
      <p>{t('removeWhy')}</p>
    </ConfirmDialog>
  )
}

function MemberDetails({ person: { email, secondFactor, lastSignInAt } }: { person: AccountMember }) {
  const t = useTranslator(settingsScreenTexts)
  return (
    <small>
      {email} · {t(`factor_${secondFactor}`)} · {lastSignInAt === null ? t('neverIn') : `${t('lastIn')} `}
      {lastSignInAt !== null && <FormattedTime at={lastSignInAt} />}
    </small>
  )
}

/** A person of the account: who they are, their role, whether they may sign in. */
export function AccountUserLine({ person }: { person: AccountMember }) {
  const t = useTranslator(settingsScreenTexts)
  const parts = useTranslator(componentTexts)
  const currentUser = useCurrentUser()
  const { error, put: saveChange } = useMemberChange(person)
  const [isRemoving, setRemoving] = useState(false)
  const { name, email, active, operator, memberships } = person
  const currentRole = memberships.find((membership) => membership.account === accountId)?.role ?? null
  const isCurrentUser = person.id === currentUser.person.id
  const roleChoices = useRoleChoices()
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <span className={styles['name']}>
          <strong>{name || email}</strong>
          {isCurrentUser && <small>{t('you')}</small>}
          {operator && (
            <StateBadge tone="neutral" hint={t('operatorWhy')}>
              {t('operator')}
            </StateBadge>
          )}
          {!active && <StateBadge tone="warning">{t('inactive')}</StateBadge>}
        </span>
        <MemberDetails person={person} />
      </span>
      <Select
        aria-label={t('roleOf', { name: name || email })}
        w={130}
        size="xs"
        allowDeselect={false}
        disabled={isCurrentUser}
        data={roleChoices}
        value={currentRole}
        onChange={(next) =>
          void saveChange({ role: parseUserRole(next) }, currentRole === null ? undefined : { role: currentRole })
        }
      />
      <Menu width={220} disabled={isCurrentUser}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            aria-label={`${parts('actions')}: ${name || email}`}
            style={{ visibility: isCurrentUser ? 'hidden' : 'visible' }}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void saveChange({ active: !active }, { active })}>
            {t(active ? 'deactivate' : 'activate')}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error !== null && <ProblemAlert error={error} title={parts('notSaved')} />}
      {isRemoving && <RemoveDialog person={person} onClose={() => setRemoving(false)} />}
    </li>
  )
}
