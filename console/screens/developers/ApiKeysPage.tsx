import { Button, Checkbox, Modal, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer, ApiRight } from '../../api/shapes.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { DevelopersPage } from './DevelopersPage.tsx'
import type en from './en.ts'
import { developerTexts } from './texts.ts'

type ApiKey = ApiAnswer<'listKeys'>[number]
const API_RIGHTS: readonly ApiRight[] = ['read', 'write', 'send', 'admin']
const KEY_LIFETIMES = ['never', '30', '90', '365'] as const
const DAY_MS = 24 * 3600 * 1000

/** Makes a key; it is shown this once. */
function NewKeyDialog({ onClose }: { onClose(): void }) {
  const t = useTranslator(developerTexts)
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [chosenRights, setChosen] = useState<ApiRight[]>(['read'])
  const [lifetimeDays, setLifetimeDays] = useState<(typeof KEY_LIFETIMES)[number]>('never')
  const [createdSecret, setCreatedSecret] = useState<string | null>(null)
  const createKey = useAsyncAction(async () => {
    const expiryDate =
      lifetimeDays === 'never' ? null : new Date(Date.now() + Number(lifetimeDays) * DAY_MS).toISOString()
    const { key } = await apiClient.createKey({ body: { name, rights: chosenRights, expires: expiryDate } })
    setCreatedSecret(key)
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
  })
  return (
    <Modal opened onClose={onClose} title={t('newKey')} size={480} closeButtonProps={{ 'aria-label': t('close') }}>
      {createdSecret === null ? (
        <form onSubmit={createKey.submit} className={styles['form']}>
          <TextInput
            label={t('name')}
            description={t('keyNameHelp')}
            data-autofocus
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group label={t('rights')} value={chosenRights} onChange={(value) => setChosen(value as ApiRight[])}>
            <div className={styles['checks']}>
              {API_RIGHTS.map((right) => (
                <Checkbox key={right} value={right} label={t(right)} description={t(`${right}Why`)} />
              ))}
            </div>
          </Checkbox.Group>
          <Select
            label={t('expires')}
            allowDeselect={false}
            data={KEY_LIFETIMES.map((value) => ({
              value,
              label: value === 'never' ? t('never') : t('days', { count: Number(value) }),
            }))}
            value={lifetimeDays}
            onChange={(value) => setLifetimeDays(KEY_LIFETIMES.find((lifetime) => lifetime === value) ?? 'never')}
          />
          {createKey.error !== null && <ProblemAlert error={createKey.error} />}
          <Button type="submit" loading={createKey.isBusy} disabled={name.trim() === '' || chosenRights.length === 0}>
            {t('makeKey')}
          </Button>
        </form>
      ) : (
        <div className={styles['form']}>
          <p>{t('shownOnce')}</p>
          <CodeBlock code={createdSecret} label={name} wrap />
          <Button onClick={onClose}>{t('kept')}</Button>
        </div>
      )}
    </Modal>
  )
}

const createColumns = (t: Translator<typeof en>, revoke: ((key: ApiKey) => void) | null): TableColumn<ApiKey>[] => [
  { key: 'name', header: t('name'), width: 180, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
  {
    key: 'rights',
    header: t('rights'),
    width: 200,
    cell: (key) => key.rights.map((right) => t(right)).join(', '),
  },
  {
    key: 'used',
    header: t('lastUsed'),
    width: 130,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <FormattedTime at={lastUsedAt} /> : t('never')),
  },
  {
    key: 'expires',
    header: t('expires'),
    width: 130,
    cell: ({ expiresAt }) => (expiresAt ? <FormattedTime at={expiresAt} as="date" /> : t('never')),
  },
  { key: 'created', header: t('created'), width: 130, cell: ({ createdAt }) => <FormattedTime at={createdAt} /> },
  ...(revoke
    ? [
        {
          key: 'revoke',
          header: t('do'),
          width: 110,
          cell: (key: ApiKey) => (
            <Button size="compact-xs" variant="default" onClick={() => revoke(key)}>
              {t('revoke')}
            </Button>
          ),
        },
      ]
    : []),
]

/** Keys that programs call the interface with; those who may not see them begin with webhooks. */
export function ApiKeysPage() {
  return useHasRight('admin') ? <KeyList /> : <Navigate to="/developers/webhooks" replace />
}

function KeyList() {
  const t = useTranslator(developerTexts)
  const queryClient = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const [keyToRevoke, setRevoked] = useState<ApiKey | null>(null)
  useCreateShortcut(() => setMaking(true))
  const keysQuery = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => apiClient.listKeys({ signal }),
  })
  const rows = useArrayTableRows(keysQuery)
  const revokeKey = async ({ id, name }: ApiKey): Promise<void> => {
    await apiClient.revokeKey({ path: { id: String(id) } })
    await queryClient.invalidateQueries({ queryKey: ['keys'] })
    showToast(t('revoked', { name }))
  }
  const newKeyButton = <Button onClick={() => setMaking(true)}>{t('newKey')}</Button>
  return (
    <DevelopersPage action={hasHeadAction(rows) && newKeyButton}>
      <DataTable
        name="keys"
        cards={{ figures: ['used', 'revoke'] }}
        label={t('keys')}
        rows={rows}
        columns={createColumns(t, setRevoked)}
        keyOf={({ id }) => String(id)}
        empty={
          <EmptyState title={t('keysEmpty')} action={newKeyButton}>
            {t('keysEmptyWhy')}
          </EmptyState>
        }
      />
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {keyToRevoke && (
        <ConfirmDialog
          title={t('revokeTitle', { name: keyToRevoke.name })}
          action={t('revoke')}
          onConfirm={() => revokeKey(keyToRevoke)}
          onClose={() => setRevoked(null)}
        >
          {t('revokeWhy')}
        </ConfirmDialog>
      )}
    </DevelopersPage>
  )
}
