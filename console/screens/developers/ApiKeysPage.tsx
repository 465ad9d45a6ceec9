import { Button, Checkbox, Modal, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer, ApiRight } from '../../api/shapes.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../components/table/rows.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { DevelopersPage } from './DevelopersPage.tsx'
import type en from './en.ts'
import { developerTexts } from './texts.ts'

type Key = ApiAnswer<'/keys', 'get'>[number]
const rights: readonly ApiRight[] = ['read', 'write', 'send', 'admin']
const lifetimes = ['never', '30', '90', '365'] as const
const DAY_MS = 24 * 3600 * 1000

/** Makes a key; it is shown this once. */
function NewKey({ onClose }: { onClose(): void }) {
  const t = useTranslator(developerTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ApiRight[]>(['read'])
  const [days, setDays] = useState<(typeof lifetimes)[number]>('never')
  const [made, setMade] = useState<string | null>(null)
  const make = useAsyncAction(async () => {
    const expires = days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    const { key } = await readAnswer(apiClient.POST('/keys', { body: { name, rights: chosen, expires } }))
    setMade(key)
    await queries.invalidateQueries({ queryKey: ['keys'] })
  })
  return (
    <Modal opened onClose={onClose} title={t('newKey')} size={480} closeButtonProps={{ 'aria-label': t('close') }}>
      {made === null ? (
        <form onSubmit={make.submit} className={styles['form']}>
          <TextInput
            label={t('name')}
            description={t('keyNameHelp')}
            data-autofocus
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group label={t('rights')} value={chosen} onChange={(value) => setChosen(value as ApiRight[])}>
            <div className={styles['checks']}>
              {rights.map((right) => (
                <Checkbox key={right} value={right} label={t(right)} description={t(`${right}Why`)} />
              ))}
            </div>
          </Checkbox.Group>
          <Select
            label={t('expires')}
            allowDeselect={false}
            data={lifetimes.map((value) => ({
              value,
              label: value === 'never' ? t('never') : t('days', { count: Number(value) }),
            }))}
            value={days}
            onChange={(value) => setDays(lifetimes.find((one) => one === value) ?? 'never')}
          />
          {make.error !== null && <ProblemAlert error={make.error} />}
          <Button type="submit" loading={make.isBusy} disabled={name.trim() === '' || chosen.length === 0}>
            {t('makeKey')}
          </Button>
        </form>
      ) : (
        <div className={styles['form']}>
          <p>{t('shownOnce')}</p>
          <CodeBlock code={made} label={name} wrap />
          <Button onClick={onClose}>{t('kept')}</Button>
        </div>
      )}
    </Modal>
  )
}

const columnsOf = (t: Translator<typeof en>, revoke: ((key: Key) => void) | null): TableColumn<Key>[] => [
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
          cell: (key: Key) => (
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
  const queries = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<Key | null>(null)
  useCreateShortcut(() => setMaking(true))
  const read = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => readAnswer(apiClient.GET('/keys', { signal })) })
  const rows = useArrayTableRows(read)
  const revoke = async ({ id, name }: Key): Promise<void> => {
    await apiClient.DELETE('/keys/{id}', { params: { path: { id: String(id) } } })
    await queries.invalidateQueries({ queryKey: ['keys'] })
    showToast(t('revoked', { name }))
  }
  const fresh = <Button onClick={() => setMaking(true)}>{t('newKey')}</Button>
  return (
    <DevelopersPage action={rows.total > 0 && fresh}>
      <DataTable
        name="keys"
        label={t('keys')}
        rows={rows}
        columns={columnsOf(t, setRevoked)}
        keyOf={({ id }) => String(id)}
        empty={
          <EmptyState title={t('keysEmpty')} action={fresh}>
            {t('keysEmptyWhy')}
          </EmptyState>
        }
      />
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
      {revoked && (
        <ConfirmDialog
          title={t('revokeTitle', { name: revoked.name })}
          action={t('revoke')}
          onConfirm={() => revoke(revoked)}
          onClose={() => setRevoked(null)}
        >
          {t('revokeWhy')}
        </ConfirmDialog>
      )}
    </DevelopersPage>
  )
}
