import { Button, Menu } from '@mantine/core'
import { IconBan, IconDownload, IconTrash, IconUserX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, buildApiUrl, readVersionedAnswer } from '../../../api/client.ts'
import { useContactFields } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import {
  type ListedApiContact as ContactDocument,
  type ContactListField,
  ContactStateBadge,
  formatContactName,
} from '../contact-columns.tsx'
import { contactTexts } from '../texts.ts'
import { ContactActivity } from './ContactActivity.tsx'
import { ContactForm } from './ContactForm.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { contactPageTexts } from './texts.ts'
import { useContactRedLists } from './use-listing.ts'

const route = getRouteApi('/contacts/$id')

function useContact(id: string) {
  return useQuery({
    queryKey: ['contact', id],
    queryFn: ({ signal }) => readVersionedAnswer(apiClient.GET('/targets/{id}', { params: { path: { id } }, signal })),
  })
}

type Dialog = 'erase' | 'delete'

function ContactMenu({ contact, onOpen }: { contact: ContactDocument; onOpen(dialog: Dialog): void }) {
  const t = useTranslator(contactPageTexts)
  const { id, redList } = contact
  const { list } = useContactRedLists(id)
  const mayWrite = useHasRight('write')
  return (
    <>
      <Menu.Item
        component="a"
        href={buildApiUrl(`/targets/${id}/export`)}
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
  fields: readonly ContactListField[]
}

function Known({ stored, fields }: Shown) {
  const [t, list] = [useTranslator(contactPageTexts), useTranslator(contactTexts)]
  const { tab = 'activity' } = route.useSearch()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const mayWrite = useHasRight('write')
  const { data: contact } = stored
  const name = formatContactName(contact, fields)
  const to = `/contacts/${contact.id}`
  return (
    <ScreenPage
      title={name}
      parent={{ label: list('title'), to: '/contacts' }}
      badge={<ContactStateBadge contact={contact} t={list} />}
      note={
        <>
          <span className="digits">{contact.id}</span> · {t('since')}{' '}
          <FormattedTime at={contact.creationDate} as="date" /> · {t('changed')}{' '}
          <FormattedTime at={contact.lastUpdateDate} />
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
        <ContactActivity contact={contact} fields={fields} />
      )}
      {(dialog === 'erase' || dialog === 'delete') && (
        <EraseDialog id={contact.id} name={name} isErasing={dialog === 'erase'} onClose={() => setDialog(null)} />
      )}
    </ScreenPage>
  )
}

/** A contact: what is known of it, whether it may be written to and why not, and all that was sent to it and done by it. */
export function ContactPage() {
  const { id } = route.useParams()
  const list = useTranslator(contactTexts)
  const contact = useContact(id)
  const fields = useContactFields()
  if (contact.data && fields.data)
    return <Known key={contact.data.data.id} stored={contact.data} fields={fields.data} />
  const error = contact.error ?? fields.error
  return (
    <ScreenPage title={id} parent={{ label: list('title'), to: '/contacts' }}>
      {error ? <ProblemAlert error={error} onRetry={() => void contact.refetch()} /> : <LoadingSkeleton />}
    </ScreenPage>
  )
}
