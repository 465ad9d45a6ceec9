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
  type ContactListField,
  ContactStateBadge,
  formatContactName,
  formatContactTitle,
  type ListedApiContact,
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
    queryFn: ({ signal }) => readVersionedAnswer(apiClient.getTarget, { path: { id }, signal }),
  })
}

type ContactDialog = 'erase' | 'delete'

function ContactMenu({ contact, onOpen }: { contact: ListedApiContact; onOpen(dialog: ContactDialog): void }) {
  const t = useTranslator(contactPageTexts)
  const { id, redList } = contact
  const { list } = useContactRedLists(id)
  const canWrite = useHasRight('write')
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
      {canWrite && (
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

interface LoadedContactProps {
  stored: { data: ListedApiContact; etag: string | null }
  fields: readonly ContactListField[]
}

function LoadedContact({ stored: storedContact, fields }: LoadedContactProps) {
  const [t, contactT] = [useTranslator(contactPageTexts), useTranslator(contactTexts)]
  const { tab = 'activity' } = route.useSearch()
  const [openDialog, setDialog] = useState<ContactDialog | null>(null)
  const canWrite = useHasRight('write')
  const { data: contact } = storedContact
  const name = formatContactName(contact, fields)
  const contactPath = `/contacts/${contact.id}`
  return (
    <ScreenPage
      title={formatContactTitle(contact, fields)}
      parent={{ label: contactT('title'), to: '/contacts' }}
      badge={<ContactStateBadge contact={contact} t={contactT} />}
      note={
        <>
          <span className="digits">{contact.id}</span> · {t('since')}{' '}
          <FormattedTime at={contact.creationDate} as="date" /> · {t('changed')}{' '}
          <FormattedTime at={contact.lastUpdateDate} />
        </>
      }
      {...(canWrite &&
        tab !== 'fields' && {
          action: (
            <Button component={Link} to={contactPath} {...({ search: { tab: 'fields' } } as object)}>
              {t('edit')}
            </Button>
          ),
        })}
      menu={<ContactMenu contact={contact} onOpen={setDialog} />}
      tabs={[
        { label: t('activity'), to: contactPath, search: {}, isOpen: tab === 'activity' },
        { label: t('fields'), to: contactPath, search: { tab: 'fields' }, isOpen: tab === 'fields' },
      ]}
    >
      {tab === 'fields' ? (
        <ContactForm stored={storedContact} fields={fields} />
      ) : (
        <ContactActivity contact={contact} fields={fields} />
      )}
      {(openDialog === 'erase' || openDialog === 'delete') && (
        <EraseDialog id={contact.id} name={name} isErasing={openDialog === 'erase'} onClose={() => setDialog(null)} />
      )}
    </ScreenPage>
  )
}

/** A contact: what is known of it, whether it may be written to and why not, and all that was sent to it and done by it. */
export function ContactPage() {
  const { id } = route.useParams()
  const contactT = useTranslator(contactTexts)
  const contact = useContact(id)
  const fieldsQuery = useContactFields()
  if (contact.data && fieldsQuery.data)
    return <LoadedContact key={contact.data.data.id} stored={contact.data} fields={fieldsQuery.data} />
  const error = contact.error ?? fieldsQuery.error
  return (
    <ScreenPage title={id} parent={{ label: contactT('title'), to: '/contacts' }}>
      {error ? <ProblemAlert error={error} onRetry={() => void contact.refetch()} /> : <LoadingSkeleton />}
    </ScreenPage>
  )
}
