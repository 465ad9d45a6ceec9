import { ActionIcon, Menu, Select } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountId, apiClient, readAnswer } from '../../api/client.ts'
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

type Member = ApiAnswer<'/people', 'get'>[number]
type Change = ApiRequestBody<'/people/{id}', 'put'>

/** Changes a person, says so, and offers to take it back. */
function useChange({ id, name }: Member) {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const put = async (body: Change, back?: Change): Promise<void> => {
    setError(null)
    try {
      await readAnswer(apiClient.PUT('/people/{id}', { params: { path: { id } }, body }))
      showToast(t('personChanged', { name }), back && (() => void put(back)))
      await queries.invalidateQueries({ queryKey: ['people'] })
    } catch (thrown) {
      setError(thrown)
    }
  }
  return { error, put }
}

function Remove({ person: { id, name, email }, onClose }: { person: Member; onClose(): void }) {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={t('removeTitle', { name: name || email })}
      action={t('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await readAnswer(apiClient.DELETE('/people/{id}', { params: { path: { id } } }))
        await queries.invalidateQueries({ queryKey: ['people'] })
      }}
    >
      <p>{t('removeWhy')}</p>
    </ConfirmDialog>
  )
}

function Facts({ person: { email, secondFactor, lastSignInAt } }: { person: Member }) {
  const t = useTranslator(settingsScreenTexts)
  return (
    <small>
      {email} · {t(`factor_${secondFactor}`)} · {lastSignInAt === null ? t('neverIn') : `${t('lastIn')} `}
      {lastSignInAt !== null && <FormattedTime at={lastSignInAt} />}
    </small>
  )
}

/** A person of the account: who they are, their role, whether they may sign in. */
export function AccountUserLine({ person }: { person: Member }) {
  const t = useTranslator(settingsScreenTexts)
  const parts = useTranslator(componentTexts)
  const me = useCurrentUser()
  const { error, put } = useChange(person)
  const [isRemoving, setRemoving] = useState(false)
  const { name, email, active, operator, memberships } = person
  const role = memberships.find((one) => one.account === accountId)?.role ?? null
  const isSelf = person.id === me.person.id
  const roles = useRoleChoices()
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <span className={styles['name']}>
          <strong>{name || email}</strong>
          {isSelf && <small>{t('you')}</small>}
          {operator && (
            <StateBadge tone="neutral" hint={t('operatorWhy')}>
              {t('operator')}
            </StateBadge>
          )}
          {!active && <StateBadge tone="warning">{t('inactive')}</StateBadge>}
        </span>
        <Facts person={person} />
      </span>
      <Select
        aria-label={t('roleOf', { name: name || email })}
        w={130}
        size="xs"
        allowDeselect={false}
        disabled={isSelf}
        data={roles}
        value={role}
        onChange={(next) => void put({ role: parseUserRole(next) }, role === null ? undefined : { role })}
      />
      <Menu width={220} disabled={isSelf}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            aria-label={`${parts('actions')}: ${name || email}`}
            style={{ visibility: isSelf ? 'hidden' : 'visible' }}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void put({ active: !active }, { active })}>
            {t(active ? 'deactivate' : 'activate')}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error !== null && <ProblemAlert error={error} title={parts('notSaved')} />}
      {isRemoving && <Remove person={person} onClose={() => setRemoving(false)} />}
    </li>
  )
}
