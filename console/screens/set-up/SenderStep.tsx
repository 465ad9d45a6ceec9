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
  stored,
  saveFirst,
}: {
  stored: StoredDocument<MailSenderProfile>
  saveFirst: SaveBeforeNextStep
}) {
  const t = useTranslator(setUpTexts)
  const domains = useSendingDomains().data ?? []
  const form = useDocumentForm<MailSenderProfile>({
    name: 'set-up.sender',
    stored,
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
          help={domains.length === 0 ? t('domainNone') : undefined}
          choices={domains.map(({ name }) => ({ value: name, label: name }))}
          isClearable
        />
        <TextField form={form} at="/reply" type="email" label={t('reply')} help={t('replyWhy')} />
      </FieldGroup>
    </FormLayout>
  )
}

/** Who mail is from. */
export function SenderStep({ saveFirst }: { saveFirst: SaveBeforeNextStep }) {
  const read = useQuery({ queryKey: ['set-up', 'sender'], queryFn: readSender, staleTime: 0, gcTime: 0 })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  return read.data ? <SenderForm stored={read.data} saveFirst={saveFirst} /> : <LoadingSkeleton />
}
