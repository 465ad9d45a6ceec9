import { useQuery } from '@tanstack/react-query'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type SaveBeforeNextStep, useSaveBeforeNextStep } from './save-first.ts'
import { type MailSenderProfile, readSender, useSendingDomains, writeMailSender } from './stored.ts'
import { setUpTexts } from './texts.ts'

function SenderForm({
  stored: storedSender,
  saveFirst,
}: {
  stored: StoredDocument<MailSenderProfile>
  saveFirst: SaveBeforeNextStep
}) {
  const t = useTranslator(setUpTexts)
  const sendingDomains = useSendingDomains().data ?? []
  const form = useDocumentForm<MailSenderProfile>({
    name: 'set-up.sender',
    stored: storedSender,
    save: (value, etag) => writeMailSender(value, etag, t('senderName')),
    load: readSender,
  })
  useSaveBeforeNextStep(saveFirst, form)
  return (
    <FormLayout form={form} pointers={[]}>
      <FieldGroup>
        <TextField form={form} at="/label" label={t('label')} help={t('labelWhy')} />
        <TextField form={form} at="/prefix" label={t('prefix')} />
        <ChoiceField
          form={form}
          at="/domain"
          label={t('fromDomain')}
          help={sendingDomains.length === 0 ? t('domainNone') : undefined}
          choices={sendingDomains.map(({ name }) => ({ value: name, label: name }))}
          isClearable
        />
        <TextField form={form} at="/reply" type="email" label={t('reply')} help={t('replyWhy')} />
      </FieldGroup>
    </FormLayout>
  )
}

/** Sender of mail. */
export function SenderStep({ saveFirst }: { saveFirst: SaveBeforeNextStep }) {
  const senderQuery = useQuery({ queryKey: ['set-up', 'sender'], queryFn: readSender, staleTime: 0, gcTime: 0 })
  if (senderQuery.error) return <ProblemAlert error={senderQuery.error} onRetry={() => void senderQuery.refetch()} />
  return senderQuery.data ? <SenderForm stored={senderQuery.data} saveFirst={saveFirst} /> : <LoadingSkeleton />
}
