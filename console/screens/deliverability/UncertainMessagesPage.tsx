import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../components/table/rows.ts'
import { useRowSelection } from '../../components/table/selection.ts'
import { showToast } from '../../layout/toasts.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import type en from './en.ts'
import { deliverabilityTexts } from './texts.ts'
import { useMessageNames } from './use-message-names.ts'

type UncertainMessage = ApiAnswer<'listHeldMessages'>[number]
const getMessageKey = ({ message }: UncertainMessage): string => message
/** As many as are shown and decided on at once; the next ones come when these are decided. */
const MAX_MESSAGES = 1000

const createColumns = (
  t: Translator<typeof en>,
  names: ReturnType<typeof useMessageNames>,
): TableColumn<UncertainMessage>[] => [
  {
    key: 'contact',
    header: t('contact'),
    width: 220,
    grow: 2,
    cell: ({ contact }) =>
      contact && <ObjectLink type="contact" id={contact} name={names?.contacts.get(contact) ?? null} />,
  },
  {
    key: 'action',
    header: t('action'),
    width: 180,
    cell: ({ action }) => (
      <ObjectLink
        type={typeof action === 'number' ? 'rcs' : 'action'}
        id={action}
        name={names?.actions.get(action) ?? null}
      />
    ),
  },
  { key: 'since', header: t('heldSince'), width: 130, cell: ({ since }) => <FormattedTime at={since} /> },
  { key: 'why', header: t('why'), width: 240, grow: 2, cell: ({ why }) => <bdi>{why}</bdi> },
  { key: 'message', header: t('message'), width: 300, isExtra: true, cell: ({ message }) => <code>{message}</code> },
]

function UncertainMessageList() {
  const t = useTranslator(deliverabilityTexts)
  const queryClient = useQueryClient()
  const selection = useRowSelection()
  const [pendingDecision, setPendingDecision] = useState<'send' | 'drop' | null>(null)
  const heldQuery = useQuery({
    queryKey: ['held'],
    queryFn: ({ signal }) => apiClient.listHeldMessages({ query: { limit: MAX_MESSAGES }, signal }),
  })
  const rows = useArrayTableRows(heldQuery)
  const names = useMessageNames(heldQuery.data ?? [])
  const chosenMessages = (heldQuery.data ?? []).filter((row) => selection.has(getMessageKey(row))).map(getMessageKey)
  const applyDecision = async (decision: 'send' | 'drop'): Promise<void> => {
    const body = { decision, messages: chosenMessages }
    const { messages } = await apiClient.releaseHeldMessages({ body })
    selection.clear()
    await queryClient.invalidateQueries({ queryKey: ['held'] })
    showToast(t(decision === 'send' ? 'sendDone' : 'dropDone', { count: messages }))
  }
  return (
    <DeliverabilityPage>
      <DataTable
        name="held"
        label={t('held')}
        rows={rows}
        columns={createColumns(t, names)}
        cards={{ figures: ['action', 'since'] }}
        keyOf={getMessageKey}
        nameOf={({ contact, message }) => (contact && names?.contacts.get(contact)) || message}
        selection={selection}
        actions={
          <>
            <Button size="compact-sm" onClick={() => setPendingDecision('send')}>
              {t('send')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setPendingDecision('drop')}>
              {t('dropHeld')}
            </Button>
          </>
        }
        empty={<EmptyState title={t('heldEmpty')}>{t('heldEmptyWhy')}</EmptyState>}
      />
      {pendingDecision && (
        <ConfirmDialog
          title={t(pendingDecision === 'send' ? 'send' : 'dropHeld')}
          action={t(pendingDecision === 'send' ? 'send' : 'dropHeld')}
          onConfirm={() => applyDecision(pendingDecision)}
          onClose={() => setPendingDecision(null)}
        >
          {t(pendingDecision === 'send' ? 'sendAsk' : 'dropAsk', { count: chosenMessages.length })}
        </ConfirmDialog>
      )}
    </DeliverabilityPage>
  )
}

/** Messages of which nobody knows whether they arrived: sent after all, or dropped. */
export function UncertainMessagesPage() {
  return (
    <RightGuard right="send" to="/deliverability">
      <UncertainMessageList />
    </RightGuard>
  )
}
