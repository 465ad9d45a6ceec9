import { Button, Menu } from '@mantine/core'
import { IconBan, IconDownload, IconTrash, IconUserX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf, api, versioned } from '../../../api/client.ts'
import { useFields } from '../../../api/definitions.ts'
import { useMay } from '../../../api/me.ts'
import { Page } from '../../../components/layout/Page.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import { type Contact as ContactDocument, type Field, nameOf, State } from '../contact-columns.tsx'
import { contactTexts } from '../texts.ts'
import { Activity } from './Activity.tsx'
import { ContactForm } from './ContactForm.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { contactPageTexts } from './texts.ts'
import { useListing } from './use-listing.ts'

const route = getRouteApi('/contacts/$id')

function useContact(id: string) {
  return useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => versioned(api.GET('/targets/{id}', { params: { path: { id } }, signal })),
  })
}

type Dialog = 'erase' | 'delete'

function ContactMenu({ contact, onOpen }: { contact: ContactDocument; onOpen(dialog: Dialog): void }) {
  const t = useText(contactPageTexts)
  const { id, redList } = contact
  const { list } = useListing(id)
  const mayWrite = useMay('write')
  return (
    <>
      <Menu.Item
        component="a"
        href={addressOf(`/targets/${id}/export`)}
        download={`contact-${id}.json`}
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('export')}
      </Menu.Item>
      {mayWrite && (
        <>
          {!redList?.mail && (
            <Menu.Item leftSection={<IconBan size={16} aria-hidden />} onClick={() => void list('mail')}>
              {t('listMail')}
            </Menu.Item>
          )}
          {!redList?.sms && (
            <Menu.Item leftSection={<IconBan size={16} aria-hidden />} onClick={() => void list('sms')}>
              {t('listSms')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconUserX size={16} aria-hidden />} onClick={() => onOpen('delete')}>
            {t('delete')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onOpen('erase')}>
            {t('erase')}
          </Menu.Item>
        </>
      )}
    </>
  )
}

interface Shown {
  stored: { data: ContactDocument; etag: string | null }
  fields: readonly Field[]
}

function Known({ stored, fields }: Shown) {
  const [t, list] = [useText(contactPageTexts), useText(contactTexts)]
  const { tab = 'activity' } = route.useSearch()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const mayWrite = useMay('write')
  const { data: contact } = stored
  const name = nameOf(contact, fields)
  const to = `/contacts/${contact.id}`
  return (
    <Page
      title={name}
      parent={{ label: list('title'), to: '/contacts' }}
      badge={<State contact={contact} t={list} />}
      note={
        <>
          <span className="digits">{contact.id}</span> · {t('since')} <Time at={contact.creationDate} as="date" /> ·{' '}
          {t('changed')} <Time at={contact.lastUpdateDate} />
        </>
      }
      {...(mayWrite &&
        tab !== 'fields' && {
          action: (
            <Button component={Link} to={to} {...({ search: { tab: 'fields' } } as object)}>
              {t('edit')}
            </Button>
          ),
        })}
      menu={<ContactMenu contact={contact} onOpen={setDialog} />}
      tabs={[
        { label: t('activity'), to, search: {}, isOpen: tab === 'activity' },
        { label: t('fields'), to, search: { tab: 'fields' }, isOpen: tab === 'fields' },
      ]}
    >
      {tab === 'fields' ? (
        <ContactForm stored={stored} fields={fields} />
      ) : (
        <Activity contact={contact} fields={fields} />
      )}
      {(dialog === 'erase' || dialog === 'delete') && (
        <EraseDialog id={contact.id} name={name} isErasing={dialog === 'erase'} onClose={() => setDialog(null)} />
      )}
    </Page>
  )
}

/** A contact: what is known of it, whether it may be written to and why not, and all that was sent to it and done by it. */
export function Contact() {
  const { id } = route.useParams()
  const list = useText(contactTexts)
  const contact = useContact(id)
  const fields = useFields()
  if (contact.data && fields.data)
    return <Known key={contact.data.data.id} stored={contact.data} fields={fields.data} />
  const error = contact.error ?? fields.error
  return (
    <Page title={id} parent={{ label: list('title'), to: '/contacts' }}>
      {error ? <Problem error={error} onRetry={() => void contact.refetch()} /> : <Skeleton />}
    </Page>
  )
}
