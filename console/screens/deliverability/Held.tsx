import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Allowed } from '../../components/Allowed.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useSelection } from '../../components/table/selection.ts'
import { tell } from '../../layout/toasts.tsx'
import { type Text, useText } from '../../text/catalogue.ts'
import { DeliverabilityPage } from './DeliverabilityPage.tsx'
import type en from './en.ts'
import { deliverabilityTexts } from './texts.ts'

type Message = Answer<'/settings/sending/held', 'get'>[number]
const keyOf = ({ message }: Message): string => message
/** As many as are shown and decided on at once; the next ones come when these are decided. */
const SHOWN = 1000

const columnsOf = (t: Text<typeof en>): Column<Message>[] => [
  {
    key: 'message',
    header: t('message'),
    width: 300,
    cell: ({ message }) => <code>{message}</code>,
  },
  {
    key: 'action',
    header: t('action'),
    width: 120,
    cell: ({ action }) => <ObjectLink type="action" id={action} name={null} />,
  },
  {
    key: 'contact',
    header: t('contact'),
    width: 150,
    cell: ({ contact }) => contact && <ObjectLink type="contact" id={contact} name={null} />,
  },
  { key: 'since', header: t('heldSince'), width: 130, cell: ({ since }) => <Time at={since} /> },
  { key: 'why', header: t('why'), width: 240, grow: 2, cell: ({ why }) => <bdi>{why}</bdi> },
]

function HeldPage() {
  const t = useText(deliverabilityTexts)
  const queries = useQueryClient()
  const selection = useSelection()
  const [asked, setAsked] = useState<'send' | 'drop' | null>(null)
  const read = useQuery({
    queryKey: ['held'],
    queryFn: ({ signal }) => data(api.GET('/settings/sending/held', { params: { query: { limit: SHOWN } }, signal })),
  })
  const rows = useArrayRows(read)
  const chosen = (read.data ?? []).filter((row) => selection.has(keyOf(row))).map(keyOf)
  const decide = async (decision: 'send' | 'drop'): Promise<void> => {
    const body = { decision, messages: chosen }
    const { messages } = await data(api.POST('/settings/sending/held/release', { body }))
    selection.clear()
    await queries.invalidateQueries({ queryKey: ['held'] })
    tell(t(decision === 'send' ? 'sendDone' : 'dropDone', { count: messages }))
  }
  return (
    <DeliverabilityPage>
      <DataTable
        name="held"
        label={t('held')}
        rows={rows}
        columns={columnsOf(t)}
        keyOf={keyOf}
        nameOf={keyOf}
        selection={selection}
        actions={
          <>
            <Button size="compact-sm" onClick={() => setAsked('send')}>
              {t('send')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setAsked('drop')}>
              {t('dropHeld')}
            </Button>
          </>
        }
        empty={<Empty title={t('heldEmpty')}>{t('heldEmptyWhy')}</Empty>}
      />
      {asked && (
        <Confirm
          title={t(asked === 'send' ? 'send' : 'dropHeld')}
          action={t(asked === 'send' ? 'send' : 'dropHeld')}
          onConfirm={() => decide(asked)}
          onClose={() => setAsked(null)}
        >
          {t(asked === 'send' ? 'sendAsk' : 'dropAsk', { count: chosen.length })}
        </Confirm>
      )}
    </DeliverabilityPage>
  )
}

/** Messages of which nobody knows whether they arrived: sent after all, or dropped. */
export function Held() {
  return (
    <Allowed right="send" to="/deliverability">
      <HeldPage />
    </Allowed>
  )
}
