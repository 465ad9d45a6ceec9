import { ActionIcon, Menu, Select } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { account, api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Time } from '../../components/Time.tsx'
import { partTexts } from '../../components/texts.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { roleOf, useRoles } from './roles.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

type Member = Answer<'/people', 'get'>[number]
type Change = Body<'/people/{id}', 'put'>

/** Changes a person, says so, and offers to take it back. */
function useChange({ id, name }: Member) {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const put = async (body: Change, back?: Change): Promise<void> => {
    setError(null)
    try {
      await data(api.PUT('/people/{id}', { params: { path: { id } }, body }))
      tell(t('personChanged', { name }), back && (() => void put(back)))
      await queries.invalidateQueries({ queryKey: ['people'] })
    } catch (thrown) {
      setError(thrown)
    }
  }
  return { error, put }
}

function Remove({ person: { id, name, email }, onClose }: { person: Member; onClose(): void }) {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  return (
    <Confirm
      title={t('removeTitle', { name: name || email })}
      action={t('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await data(api.DELETE('/people/{id}', { params: { path: { id } } }))
        await queries.invalidateQueries({ queryKey: ['people'] })
      }}
    >
      <p>{t('removeWhy')}</p>
    </Confirm>
  )
}

function Facts({ person: { email, secondFactor, lastSignInAt } }: { person: Member }) {
  const t = useText(settingsTexts)
  return (
    <small>
      {email} · {t(`factor_${secondFactor}`)} · {lastSignInAt === null ? t('neverIn') : `${t('lastIn')} `}
      {lastSignInAt !== null && <Time at={lastSignInAt} />}
    </small>
  )
}

/** A person of the account: who they are, their role, whether they may sign in. */
export function PersonLine({ person }: { person: Member }) {
  const t = useText(settingsTexts)
  const parts = useText(partTexts)
  const me = useMe()
  const { error, put } = useChange(person)
  const [isRemoving, setRemoving] = useState(false)
  const { name, email, active, operator, memberships } = person
  const role = memberships.find((one) => one.account === account)?.role ?? null
  const isSelf = person.id === me.person.id
  const roles = useRoles()
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <span className={styles['name']}>
          <strong>{name || email}</strong>
          {isSelf && <small>{t('you')}</small>}
          {operator && (
            <Badge tone="neutral" hint={t('operatorWhy')}>
              {t('operator')}
            </Badge>
          )}
          {!active && <Badge tone="warning">{t('inactive')}</Badge>}
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
        onChange={(next) => void put({ role: roleOf(next) }, role === null ? undefined : { role })}
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
      {error !== null && <Problem error={error} title={parts('notSaved')} />}
      {isRemoving && <Remove person={person} onClose={() => setRemoving(false)} />}
    </li>
  )
}
